"""Draws figure 3: the tiles of each phase side by side, and step by step as a GIF."""

from matplotlib import animation

import scene
import style

CELL = 0.34  # inches


def framed(data, count, caption):
    """Returns a figure with room for `count` scenes side by side."""
    high, deep, wide = scene.whole_tiles(data)
    width = (deep + wide + scene.GAP + 1) * CELL + 0.25
    height = (deep + high + scene.GAP + 1.2) * CELL + 0.75
    figure = style.figure(max(6.6, count * width), height, scene.title(data), caption)
    left, below, right, above = figure.inside
    style.legend(figure, scene.handles(data), "lower center", (0.5, below), 1.0)
    figure.inside = (left, below + 0.28 / figure.get_figheight(), right, above)
    return figure


def still(data, path):
    count = len(data["phases"])
    figure = framed(data, count, data["caption"])
    for number, axes in enumerate(figure.subplots(1, count, squeeze=False)[0]):
        scene.Scene(axes, data).loading(number)
        axes.set_title(f"phase {number}: load")
    return style.save(figure, path, data)


def steps(data):
    """Yields (title, method of Scene, its arguments) of each step, in the kernel's order."""
    for number, phase in enumerate(data["phases"]):
        yield f"phase {number}: load, then barrier", scene.Scene.loading, (number,)
        last = len(phase["products"]) - 1
        for product in range(last + 1):
            then = ", then barrier" if product == last else ""
            text = f"phase {number}: product {product + 1} of {last + 1}{then}"
            yield text, scene.Scene.multiplying, (number, product)
    yield "behind the phases: store Pvalue", scene.Scene.storing, ()


def animated(data, path):
    figure = framed(data, 1, data["caption"])
    axes = figure.subplots()
    all_steps = list(steps(data))

    def show(number):
        text, method, arguments = all_steps[number]
        axes.clear()
        method(scene.Scene(axes, data), *arguments)
        axes.set_title(text)

    show(0)
    style.arrange(figure)
    moving = animation.FuncAnimation(figure, show, frames=len(all_steps))
    moving.save(f"{path}.gif", writer=animation.PillowWriter(fps=0.8), dpi=100)
    style.close(figure)
    return [f"{path}.gif"]


def draw(data, path):
    return still(data, path) + animated(data, path)
