"""Draws figure 6: kernels under the roofs of memory, shared memory and arithmetic."""

import style


def draw(data, path):
    figure = style.figure(
        8.4,
        4.4,
        f"Roofline, N = {data['n']:,}",
        "Memory: bandwidth times FLOP a byte. Shared memory: where each multiply-add "
        "takes two requests of its warp, one a clock; a kernel that keeps elements in "
        "registers, or reads several words at once, may pass. " + data["caption"],
    )
    axes = figure.subplots()
    at = [point[1] for point in data["points"]]
    left, right = min(at) / 2, max(at + [data["peak"] / data["memory"]]) * 2
    corner = data["peak"] / data["memory"]
    axes.loglog(
        [left, corner, right],
        [left * data["memory"], data["peak"], data["peak"]],
        "-",
        color=style.BLACK,
        linewidth=1.6,
        label=f"memory, {data['memory']:,.0f} GB/s; arithmetic, {data['peak']:,.0f} GFLOP/s",
    )
    axes.axhline(
        data["shared"],
        color=style.GREY,
        linestyle="--",
        label=f"shared memory, {data['shared']:,.0f} GFLOP/s",
    )
    for number, (kernel, intensity, gflops) in enumerate(data["points"]):
        axes.loglog(
            intensity,
            gflops,
            style.MARKERS[number % len(style.MARKERS)],
            color=style.LINES[number % len(style.LINES)],
            fillstyle="full" if number < len(style.MARKERS) else "none",
            markersize=7,
            label=kernel,
        )
    axes.set_xlim(left, right)
    axes.set_xlabel("FLOP a byte requested from global memory")
    axes.set_ylabel("GFLOP/s")
    axes.grid(True, color=style.PALE)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8)
    style.arrange(figure)
    return style.save(figure, path, data)
