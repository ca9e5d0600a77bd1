"""Draws figure 8: blocks a multiprocessor against registers and shared memory."""

import style


def lines(axes, curves):
    for number, (threads, curve) in enumerate(curves.items()):
        axes.step(
            *zip(*curve),
            where="post",
            color=style.LINES[number],
            linestyle=style.DASHES[number],
            linewidth=1.6,
            label=f"{threads} threads a block",
        )
    axes.set_ylim(0, None)
    axes.set_xlim(0, None)
    axes.grid(True, color=style.PALE)
    axes.set_ylabel("blocks a multiprocessor")


def draw(data, path):
    device = data["device"]
    figure = style.figure(
        8.6,
        3.4,
        f"Blocks that fit a multiprocessor: {device['title']}",
        "Left: no shared memory used; right: registers not counted. Markers: tiled "
        "kernels with two tiles of float. " + data["caption"],
    )
    left, right = figure.subplots(1, 2)
    lines(left, data["registers"])
    left.set_xlabel("registers a thread")
    left.legend(frameon=False)
    kibi = {
        threads: [[size / 1024, blocks] for size, blocks in curve]
        for threads, curve in data["shared"].items()
    }
    lines(right, kibi)
    for number, (tile, size, blocks) in enumerate(data["tiles"]):
        marker = style.MARKERS[number]
        right.plot(
            size / 1024,
            blocks,
            marker,
            color="black",
            markersize=7,
            label=f"TILE_WIDTH {tile}: {blocks}",
            clip_on=False,
            zorder=4,
        )
    handles, labels = right.get_legend_handles_labels()
    curves = len(data["shared"])
    right.legend(handles[curves:], labels[curves:], frameon=False)
    right.set_xlabel("shared memory a block (KiB)")
    style.arrange(figure)
    return style.save(figure, path, data)
