"""Draws figure 8: blocks per multiprocessor against registers and shared memory."""

import style


def lines(axes, curves):
    for (threads, curve), colour, dash in zip(curves.items(), style.LINES, style.DASHES):
        look = dict(color=colour, linestyle=dash, linewidth=1.6)
        axes.step(*zip(*curve), where="post", label=f"{threads} threads per block", **look)
    axes.set_ylim(0, None)
    axes.set_xlim(0, None)
    axes.grid(True, color=style.PALE)
    axes.set_ylabel("blocks per multiprocessor")


def draw(data, path):
    title = f"Blocks that fit on a multiprocessor: {data['device']['title']}"
    caption = "Left: the kernel uses no shared memory. Right: registers are not counted. Markers: "
    caption += f"tiled kernels with two tiles of floats. {data['caption']}"
    figure = style.figure(8.6, 3.4, title, caption)
    left, right = figure.subplots(1, 2)
    lines(left, data["registers"])
    left.set_xlabel("registers per thread")
    left.legend(frameon=False)
    in_kibi = lambda curve: [[size / 1024, blocks] for size, blocks in curve]  # noqa: E731
    lines(right, {threads: in_kibi(curve) for threads, curve in data["shared"].items()})
    for marker, (tile, size, blocks) in zip(style.MARKERS, data["tiles"]):
        look = dict(color="black", markersize=7, clip_on=False, zorder=4)
        right.plot(size / 1024, blocks, marker, label=f"TILE_WIDTH {tile}: {blocks}", **look)
    handles, labels = right.get_legend_handles_labels()
    curves = len(data["shared"])
    right.legend(handles[curves:], labels[curves:], frameon=False)
    right.set_xlabel("shared memory per block (KiB)")
    return style.save(figure, path, data)
