"""Draws figures 6 and 7, a card's measurements: kernels under the roofs of memory and arithmetic;
GFLOP/s against N, and each rung's share of cuBLAS with its gain."""

import style

NEAR, WIDE, HIGH = 1.8, 12, 1.2  # as factors: points of one column, a label's width, its height
# Keeps labels readable if a line crosses them.
BOX = dict(facecolor="white", edgecolor="none", pad=1)


def mark_of(number):
    """Returns the marker and the colour of a kernel; the second eight are hollow."""
    many = len(style.MARKERS)
    fill = "full" if number < many else "none"
    look = dict(marker=style.MARKERS[number % many], color=style.LINES[number % many])
    return dict(fillstyle=fill, **look)


def finish(axes, **legend):
    axes.set_ylabel("GFLOP/s")
    axes.grid(True, color=style.PALE)
    axes.legend(frameon=False, loc="center left", **legend)


def places_of_labels(points):
    """Returns x and y for the label of each point, (name, x, y): right of the points near it, and
    moved down if it would lie on another label."""
    ordered = sorted(points, key=lambda point: point[1])
    right, at, beside = {}, None, []
    for name, x, _ in ordered:
        beside = [*beside, name] if at and x < NEAR * at else [name]
        at = x
        right.update(dict.fromkeys(beside, x))
    places = {}
    for name, _, y in sorted(points, key=lambda point: -point[2]):
        x = right[name]
        above = [other for its, other in places.values() if x / WIDE < its < x * WIDE]
        places[name] = x, min([y] + [other / HIGH for other in above])
    return places


def text_of_label(kernel, gflops, of_memory):
    """Returns the kernel's name, and the reason if it is above the memory roof."""
    if gflops <= of_memory:
        return kernel
    share = int(100 * (1 - of_memory / gflops))
    return f"{kernel}, above\nthe roof: caches\nserve over {share} %"


def roofline(data, path):
    caption = "Memory: bandwidth times FLOP per byte. Shared memory: the limit if each "
    caption += "multiply-add needs two requests of its warp, at one request per clock. A kernel "
    caption += "that keeps elements in registers, or reads several words at once, can be above it. "
    caption += data["caption"]
    figure = style.figure(7.6, 4.4, f"Roofline, N = {data['n']:,}", caption)
    axes = figure.subplots()
    peak, memory, shared = data["peak"], data["memory"], data["shared"]
    at = [point[1] for point in data["points"]]
    corner = peak / memory
    left, right = min(at) / 2, max(at + [corner]) * 6
    roofs = f"memory, {memory:,.0f} GB/s; arithmetic, {peak:,.0f} GFLOP/s"
    line = [left, corner, right], [left * memory, peak, peak]
    axes.loglog(*line, "-", color=style.BLACK, linewidth=1.6, label=roofs)
    label = f"shared memory, {shared:,.0f} GFLOP/s"
    axes.axhline(shared, color=style.GREY, linestyle="--", label=label)
    labels = places_of_labels(data["points"])
    for number, (kernel, intensity, gflops) in enumerate(data["points"]):
        x, y = labels[kernel]
        axes.loglog(intensity, gflops, **mark_of(number), linestyle="none", markersize=7)
        if (x, y) != (intensity, gflops):
            leader = [intensity, x * 1.12], [gflops, y]
            axes.plot(*leader, "-", color=style.GREY, linewidth=0.6, zorder=1)
        text = text_of_label(kernel, gflops, intensity * memory)
        axes.text(x * 1.14, y, text, va="center", size=8, linespacing=1.1, bbox=BOX)
    axes.set_xlim(left, right)
    axes.set_xlabel("FLOP per byte requested from global memory")
    axes.set_ylabel("GFLOP/s")
    axes.grid(True, color=style.PALE)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,g}")
    axes.legend(frameon=False, loc="lower right", fontsize=8)
    return style.save(figure, path, data)


def curves(axes, data):
    for number, (kernel, points) in enumerate(data["lines"].items()):
        dash = style.DASHES[number // len(style.LINES)]
        look = dict(mark_of(number), linestyle=dash, linewidth=1.2, markersize=5)
        axes.loglog(*zip(*points), label=kernel, **look)
    axes.axhline(data["peak"], color="black", linestyle=":", label="arithmetic peak")
    sizes = sorted({n for points in data["lines"].values() for n, _ in points})
    axes.set_xticks(sizes, sizes, rotation=45)
    axes.minorticks_off()
    axes.set_xlabel("N, for N x N times N x N")
    finish(axes, bbox_to_anchor=(1.0, 0.5), fontsize=7)


def bars(axes, data):
    shares = [100 * share for _, share in data["shares"]]
    places = range(len(shares))
    axes.barh(places, shares, color=style.SKY, edgecolor=style.BLUE, height=0.7)
    for place, share in zip(places, shares):
        gain = f"  ({share / shares[place - 1]:.2f} x)" if place else ""
        axes.text(share + 1, place, f"{share:.1f} %{gain}", va="center", size=8, bbox=BOX)
    axes.axvline(100, color="black", linestyle="--", linewidth=1, zorder=1.5)
    axes.set_yticks(places, [kernel for kernel, _ in data["shares"]])
    axes.invert_yaxis()
    axes.set_xlim(0, max(shares + [100]) * 1.4)
    axes.set_xlabel(f"% of cuBLAS at N = {data['n']:,}; in brackets: gain over the rung before")


def ladder(data, path):
    figure = style.figure(12, 4.2, "The ladder from the naive kernel to cuBLAS", data["caption"])
    left, right = figure.subplots(1, 2)
    curves(left, data)
    bars(right, data)
    return style.save(figure, path, data)
