"""Draws figure 5: counted loads on the theoretical line, and the least there can be."""

import style


def draw(data, path):
    width = data["width"]
    figure = style.figure(
        6.5,
        3.6,
        f"Global loads of one product, Width {width}",
        f"Counted: one run for each TILE_WIDTH. {data['caption']}",
    )
    axes = figure.subplots()
    axes.loglog(
        *zip(*data["theory"]), "-", color=style.BLUE, label="theory: 2 Width³ / TILE_WIDTH", base=2
    )
    axes.loglog(
        *zip(*data["counted"]),
        "o",
        color=style.VERMILION,
        markersize=7,
        fillstyle="none",
        markeredgewidth=1.6,
        label="counted",
        base=2,
    )
    axes.axhline(
        data["compulsory"],
        color=style.BLACK,
        linestyle="--",
        linewidth=1,
        label="least: each element once, 2 Width²",
    )
    for tile_width, loads in data["counted"]:
        axes.annotate(
            f"{loads:,}", (tile_width, loads), xytext=(7, 4), textcoords="offset points", size=8
        )
    ticks = [tile_width for tile_width, _ in data["counted"]]
    axes.set_xticks(ticks, ticks)
    axes.set_xlim(0.85, ticks[-1] * 2.1)
    axes.set_ylim(data["compulsory"] / 1.8, data["counted"][0][1] * 2)
    axes.minorticks_off()
    axes.set_xlabel("TILE_WIDTH (elements)")
    axes.set_ylabel("loads from global memory (of 4 bytes)")
    axes.grid(True, color=style.PALE)
    axes.legend(frameon=False, loc="upper right")
    style.arrange(figure)
    return style.save(figure, path, data)
