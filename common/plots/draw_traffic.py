"""Draws figure 5: counted loads, the line of the theory, and the smallest possible number."""

import style


def draw(data, path):
    title = f"Global loads of one product, Width {data['width']}"
    caption = f"Counted: one run for each TILE_WIDTH. {data['caption']}"
    figure = style.figure(6.5, 3.6, title, caption)
    axes = figure.subplots()
    label = "theory: 2 Width³ / TILE_WIDTH"
    axes.loglog(*zip(*data["theory"]), "-", color=style.BLUE, label=label, base=2)
    look = dict(color=style.VERMILION, markersize=7, fillstyle="none", markeredgewidth=1.6)
    axes.loglog(*zip(*data["counted"]), "o", label="counted", base=2, **look)
    look = dict(color=style.BLACK, linestyle="--", linewidth=1)
    axes.axhline(data["compulsory"], label="least: each element once, 2 Width²", **look)
    for place in data["counted"]:
        axes.annotate(f"{place[1]:,}", place, (7, 4), textcoords="offset points", size=8)
    ticks = [tile_width for tile_width, _ in data["counted"]]
    axes.set_xticks(ticks, ticks)
    axes.set_xlim(0.85, ticks[-1] * 2.1)
    axes.set_ylim(data["compulsory"] / 1.8, data["counted"][0][1] * 2)
    axes.minorticks_off()
    axes.set_xlabel("TILE_WIDTH (elements)")
    axes.set_ylabel("loads from global memory (of 4 bytes)")
    axes.grid(True, color=style.PALE)
    axes.legend(frameon=False, loc="upper right")
    return style.save(figure, path, data)
