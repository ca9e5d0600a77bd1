"""Writes small pictures as SVG. The same shapes give the same bytes with every version of Python;
matplotlib is not needed."""

import html

from colours import EDGE, FILL, GREY, VERMILION

STYLE = [
    "text{font:12px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#222}",
    ".left{text-anchor:start}",
    ".head{font-size:15px;font-weight:bold}",
    ".small{font-size:11px}",
    ".index{font-size:10px;fill:#666}",
    ".paper{fill:#fff}",
    f".room{{fill:#f4f4f4;stroke:{GREY}}}",
    f".plain,.grid{{fill:#fff;stroke:{GREY}}}",
    ".grid{stroke-width:.6}",
    *(f".{role}{{fill:{FILL[role]};stroke:{EDGE[role]}}}" for role in "MNP"),
    ".frame,.block,.used{fill:none;stroke:#222;stroke-width:2}",
    f".block{{stroke:{GREY};stroke-width:1.5}}",
    f".used{{stroke:{VERMILION};stroke-width:3}}",
    ".out{fill:#fff}",
    ".out,.block{stroke-dasharray:4 2}",
    ".arrow,.both{stroke:#222;stroke-width:1.5;marker-end:url(#tip)}",
    ".both{marker-start:url(#tip)}",
]
TIP = (
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" '
    'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#222"/></marker>'
)


class Picture:
    """A picture on white, for pages of any colour. Lengths are pixels; a kind is one
    of STYLE."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self.lines = [f"<style>{''.join(STYLE)}</style>", TIP]
        self.box("paper", 0, 0, width, height)

    def box(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.lines.append(f'<rect class="{kind}" {place}/>')

    def named(
        self, kind: str, x: float, y: float, width: float, height: float, name: str, look: str = ""
    ) -> None:
        """Draws a box with its name in the middle."""
        self.box(kind, x, y, width, height)
        self.text(x + width / 2, y + height / 2 + 4, name, look)

    def grid(self, x: float, y: float, cell: float, count: int) -> None:
        """Draws the lines of a square of cells."""
        at = [n * cell for n in range(count + 1)]
        lines = "".join(f"M{x:g} {y + a:g}h{at[-1]:g}M{x + a:g} {y:g}v{at[-1]:g}" for a in at)
        self.lines.append(f'<path class="grid" d="{lines}"/>')

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        """Writes words whose middle is at x, or the left end of those of kind left."""
        look = f' class="{kind}"' if kind else ""
        self.lines.append(f'<text{look} x="{x:g}" y="{y:g}">{html.escape(words, False)}</text>')

    def arrow(self, kind: str, x: float, y: float, across: float, down: float) -> None:
        ends = f'x1="{x:g}" y1="{y:g}" x2="{x + across:g}" y2="{y + down:g}"'
        self.lines.append(f'<line class="{kind}" {ends}/>')

    def notes(self, x: float, y: float, lines: list[tuple[str, str]]) -> None:
        """Writes lines below each other, each after a box of its kind; without a kind, no box."""
        for kind, words in lines:
            if kind:
                self.box(kind, x, y - 10, 16, 12)
            self.text(x + 24, y, words, "left")
            y += 18

    def svg(self) -> str:
        width, height = self.size
        space = 'xmlns="http://www.w3.org/2000/svg"'
        head = f'<svg {space} width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        return "\n".join([head, *self.lines, "</svg>\n"])
