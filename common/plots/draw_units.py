"""Draws how long each unit of a card needs for a kernel's work: the longest bar is the limit."""

import style


def draw(data, path):
    title = f"What limits this kernel on {data['card']}, Width {data['width']}"
    caption = "All units work at the same time, so the longest bar is the limit. Modelled from the "
    caption += f"counts, not measured. {data['caption']}"
    names, times = zip(*data["parts"])
    figure = style.figure(6.5, 0.4 + 0.32 * len(names), title, caption)
    axes = figure.subplots()
    limits = [name == data["limit"] for name in names]
    faces = [style.ORANGE if limit else style.SKY for limit in limits]
    hatches = ["//" if limit else "" for limit in limits]
    axes.barh(names, times, color=faces, hatch=hatches, edgecolor=style.BLACK, linewidth=0.6)
    for place, time in enumerate(times):
        label = f" {time:,.1f}" + (", the limit" if limits[place] else "")
        axes.text(time, place, label, va="center", size=8)
    axes.invert_yaxis()
    axes.set_xlim(0, max(times) * 1.25)
    axes.set_xlabel("microseconds")
    return style.save(figure, path, data)
