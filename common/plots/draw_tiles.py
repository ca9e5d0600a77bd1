"""Draws figure 3: the tiles of each phase side by side, and step by step as a GIF."""

from matplotlib import animation

import scene
import style

CELL = 0.34  # inches


def framed(data, count, caption):
    """Returns a figure with room for `count` scenes side by side."""
    tile = data["tile_width"]
    high, deep, wide = (-(-n // tile) * tile for n in data["shape"])
    width = (deep + wide + scene.GAP + 1) * CELL + 0.25
    height = (deep + high + scene.GAP + 1.2) * CELL + 0.75
    handles = scene.legend(data)
    figure = style.figure(max(6.6, count * width), height, scene.title(data), caption)
    figure.legend(
        handles=handles,
        ncol=len(handles),
        loc="lower center",
        bbox_to_anchor=(0.5, figure.inside[1]),
        frameon=False,
        fontsize=8,
        handlelength=1.2,
        columnspacing=1.0,
    )
    left, below, right, above = figure.inside
    figure.inside = (left, below + 0.28 / figure.get_figheight(), right, above)
    return figure


def still(data, path):
    count = len(data["phases"])
    figure = framed(data, count, data["caption"])
    for number, axes in enumerate(figure.subplots(1, count, squeeze=False)[0]):
        scene.Scene(axes, data).loading(number)
        axes.set_title(f"phase {number}: load")
    style.arrange(figure)
    return style.save(figure, path, data)


def steps(data):
    """Returns (title, method of Scene, its arguments) of each step, in the kernel's order."""
    result = []
    for number, phase in enumerate(data["phases"]):
        result.append((f"phase {number}: load, then barrier", "loading", (number,)))
        last = len(phase["products"]) - 1
        for product in range(last + 1):
            then = ", then barrier" if product == last else ""
            text = f"phase {number}: product {product + 1} of {last + 1}{then}"
            result.append((text, "multiplying", (number, product)))
    result.append(("behind the phases: store Pvalue", "storing", ()))
    return result


def animated(data, path):
    figure = framed(data, 1, data["caption"])
    axes = figure.subplots()
    all_steps = steps(data)

    def show(number):
        text, method, arguments = all_steps[number]
        axes.clear()
        getattr(scene.Scene(axes, data), method)(*arguments)
        axes.set_title(text)

    show(0)
    style.arrange(figure)
    moving = animation.FuncAnimation(figure, show, frames=len(all_steps))
    moving.save(f"{path}.gif", writer=animation.PillowWriter(fps=0.8), dpi=100)
    style.close(figure)
    return [f"{path}.gif"]


def draw(data, path):
    return still(data, path) + animated(data, path)
