"""Draws figure 7: GFLOP/s against N, and each rung's share of cuBLAS with its gain."""

import style


def curves(axes, data):
    for number, (kernel, points) in enumerate(data["lines"].items()):
        axes.loglog(
            *zip(*points),
            style.MARKERS[number % len(style.MARKERS)],
            linestyle=style.DASHES[number // len(style.LINES)],
            color=style.LINES[number % len(style.LINES)],
            fillstyle="full" if number < len(style.MARKERS) else "none",
            markersize=5,
            linewidth=1.2,
            label=kernel,
        )
    axes.axhline(data["peak"], color="black", linestyle=":", label="arithmetic peak")
    sizes = sorted({n for points in data["lines"].values() for n, _ in points})
    axes.set_xticks(sizes, sizes, rotation=45)
    axes.minorticks_off()
    axes.set_xlabel("N, for N x N times N x N")
    axes.set_ylabel("GFLOP/s")
    axes.grid(True, color=style.PALE)
    axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))


def bars(axes, data):
    shares = [100 * share for _, share in data["shares"]]
    places = range(len(shares))
    axes.barh(places, shares, color=style.SKY, edgecolor=style.BLUE, height=0.7)
    # Keeps the numbers readable where the line of cuBLAS passes behind them.
    box = dict(facecolor="white", edgecolor="none", pad=1)
    for place, share in zip(places, shares):
        gain = f"  ({share / shares[place - 1]:.2f} x)" if place else ""
        axes.text(share + 1, place, f"{share:.1f} %{gain}", va="center", size=8, bbox=box)
    axes.axvline(100, color="black", linestyle="--", linewidth=1, zorder=1.5)
    axes.set_yticks(places, [kernel for kernel, _ in data["shares"]])
    axes.invert_yaxis()
    axes.set_xlim(0, max(shares + [100]) * 1.4)
    axes.set_xlabel(f"% of cuBLAS at N = {data['n']:,}; in brackets: times the rung before")


def draw(data, path):
    figure = style.figure(12, 4.2, "The ladder from the naive kernel to cuBLAS", data["caption"])
    left, right = figure.subplots(1, 2)
    curves(left, data)
    bars(right, data)
    style.arrange(figure)
    return style.save(figure, path, data)
