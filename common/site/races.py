"""Records the kernels of `races`, and writes their pages: a question, a replay that does not show
the findings, and the answer, which is folded. What the simulator reports comes from the same run.

A new kernel is a whole program NAME.cu with its text NAME.md, and its name in ORDER.
"""

import html
import math
import os
import pathlib
import subprocess

import page
from documents import filled
from page_data import RunData
from recording_file import Recording

FOLDER = pathlib.Path(__file__).resolve().with_name("races")
ORDER = "neighbour", "histogram", "smooth", "scan", "branch", "last_block"


def frame(name: str, title: str, up: str) -> str:
    """Returns a replay within a page, and the link to it alone."""
    address, named = f"{up}replays/{name}.html", f"Replay: {html.escape(title)}"
    return f"""\
<iframe class="replay" src="{address}" title="{named}" loading="lazy"></iframe>

[Open the replay on a page of its own]({address})"""


def numbered(code: str) -> str:
    lines = "\n".join(f"<span>{html.escape(line)}</span>" for line in code.splitlines())
    return f'<pre class="numbered"><code>{lines}</code></pre>'


class Race:
    """A kernel with a hazard. Its text names the right result. A line `---` in it divides the text
    before the replay from the answer."""

    def __init__(self, name: str) -> None:
        self.name, self.source = name, FOLDER / f"{name}.cu"
        text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        asked, self.answer = text.split("\n---\n\n")
        self.asked, self.right = asked.strip().split("\nRight: ")
        title, first = self.asked.split("\n\n")[:2]
        self.title = title.removeprefix("# ")
        self.listed = f"1. [{self.title}]({name}.md): {first.split('. ')[0]}."

    def run(self, program: pathlib.Path, replays: pathlib.Path) -> None:
        """Runs the program, keeps its output and the simulator's report, and writes both replays:
        only that of the answer has the findings."""
        path = replays / "recording"
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("CUSIM_", "LAB_"))}
        kept["CUSIM_RECORDING"] = str(path)
        done = subprocess.run(
            [program], cwd=FOLDER, env=kept, check=True, capture_output=True, text=True
        )
        self.printed, self.report = done.stdout.strip(), done.stderr.strip()
        recording = Recording(str(path))
        path.unlink()
        last = math.prod(recording.header["grid"]) - 1  # only this block waits for others
        run = RunData(recording, str(program), str(self.source), last).run("", "")
        run |= {"file": self.source.name, "caption": "simulated device"}
        for finding in run["findings"]:
            finding["file"] = run["file"]
        begin = max(0, *(one["step"] for one in run["findings"]))
        for end, first, shown in (("", 0, []), ("-answer", begin, run["findings"])):
            told = run | {"findings": shown, "hidden": not shown}
            data = {"runs": [told], "tour": [], "begin": first}
            page.write(replays / f"{self.name}{end}.html", data)

    def page(self) -> str:
        right = self.printed == self.right
        then = "That is right, by luck." if right else f"Right is `{self.right}`."
        return filled(
            "race.md",
            asked=self.asked,
            code=numbered(self.source.read_text(encoding="utf-8")),
            replay=frame(self.name, self.title, "../"),
            answer=self.answer.strip(),
            printed=f"This run prints `{self.printed}`. {then}",
            report=self.report,
            name=self.name,
        )


def write(docs: pathlib.Path, programs: pathlib.Path) -> list[Race]:
    """Writes replays and pages."""
    races = [Race(name) for name in ORDER]
    for folder in ("replays", "races"):
        (docs / folder).mkdir()
    for race in races:
        race.run(programs / race.name, docs / "replays")
        (docs / f"races/{race.name}.md").write_text(race.page(), encoding="utf-8")
    listed = filled("races.md", list="\n".join(race.listed for race in races))
    (docs / "races/index.md").write_text(listed, encoding="utf-8")
    return races
