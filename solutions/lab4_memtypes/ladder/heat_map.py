"""Draws the ratio of rung 14 to cuBLAS on each shape as an SVG, from the rows of shapes.csv."""

import math

WIDTH, HEIGHT, LABEL, GAP, ROWS = 66, 18, 154, 14, 23  # pixels; rows of a column
RED, WHITE, BLUE = (197, 60, 52), (255, 255, 255), (38, 98, 168)
FULL = math.log(2)  # twice as fast or half as fast has the full colour


def colour(ratio: float) -> str:
    share = max(-1.0, min(1.0, math.log(ratio) / FULL))
    end = BLUE if share > 0 else RED
    mixed = (round(w + (e - w) * abs(share)) for w, e in zip(WHITE, end))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def cell(x: int, y: int, ratio: float) -> str:
    ink = "#fff" if abs(math.log(ratio)) > 0.85 * FULL else "#000"
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="{colour(ratio)}" '
        f'stroke="#ddd"/><text x="{x + WIDTH - 8}" y="{y + 13}" text-anchor="end" '
        f'fill="{ink}">{100 * ratio:.0f} %</text>'
    )


def svg(rows: list[dict[str, str]]) -> str:
    """Returns the drawing: a line per shape, a cell for inputs in the L2 cache and one for
    others."""
    columns = -(-len(rows) // ROWS)
    across = LABEL + 2 * WIDTH + GAP
    wide, high = columns * across, (ROWS + 1) * HEIGHT + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="11">',
        "<title>Rung 14 in percent of cuBLAS</title>",
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
    ]
    for column in range(columns):
        left = column * across + LABEL
        for number, head in enumerate(("warm", "L2 flushed")):
            at = left + number * WIDTH + WIDTH - 8
            parts.append(f'<text x="{at}" y="13" text-anchor="end" fill="#555">{head}</text>')
    for number, row in enumerate(rows):
        left, y = number // ROWS * across + LABEL, (number % ROWS + 1) * HEIGHT
        shape = " x ".join(row[length] for length in "jkl")
        star = "*" if row["origin"] == "drawn" else ""
        parts.append(f'<text x="{left - 6}" y="{y + 13}" text-anchor="end">{shape}{star}</text>')
        for place, kind in enumerate(("warm", "flushed")):
            ratio = float(row[f"cublas_{kind}_ms"]) / float(row[f"own_{kind}_ms"])
            parts.append(cell(left + place * WIDTH, y, ratio))
    return "\n".join([*parts, "</svg>"]) + "\n"
