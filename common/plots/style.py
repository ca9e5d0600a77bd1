"""The style of all figures. Text, hatches or markers show each difference that colours show, for
black-and-white print."""

import textwrap

import matplotlib
from matplotlib import pyplot
from matplotlib.patches import Rectangle

from colours import *  # noqa: F403
from matrices import checksum

LINES = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, BLACK, GREY)
MARKERS = "os^Dv*PX"
DASHES = ("-", "--", "-.", ":")

matplotlib.rcParams.update(
    {
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "hatch.linewidth": 0.5,
        "svg.hashsalt": "figures",
        "figure.max_open_warning": 0,
    }
)
LINE = 0.16  # inches, a line of the caption


def figure(width, height, title, caption):
    """Returns a figure with this many inches between title and caption."""
    lines, head = textwrap.wrap(caption, int(width * 15)), textwrap.wrap(title, int(width * 9.6))
    above, below = 0.16 + 0.2 * len(head), LINE * len(lines) + 0.12
    made = pyplot.figure(figsize=(width, height + above + below))
    whole = made.get_figheight()
    look = dict(va="top", weight="bold", size=11, linespacing=1.1)
    made.text(0.1 / width, 1 - 0.08 / whole, "\n".join(head), **look)
    made.text(0.1 / width, 0.08 / whole, "\n".join(lines), va="bottom", size=8, color="#333")
    made.inside = (0, below / whole, 1, 1 - above / whole)
    return made


def box(axes, x, y, width, height, face="white", edge=GREY, line=0.6, **look):
    """Adds a rectangle with a border of `line` points."""
    look |= dict(facecolor=face, edgecolor=edge, linewidth=line)
    axes.add_patch(Rectangle((x, y), width, height, **look))


def of_role(role):
    """Returns the face colour and the edge colour of what belongs to a matrix."""
    return FILL[role], EDGE[role]


def bare(axes):
    """Leaves out the lines around the axes and the marks at the ticks."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=8)


def legend(place, handles, corner, anchor, spacing):
    """Adds a legend in one line to a figure or axes; its corner lies at the anchor."""
    look = dict(frameon=False, fontsize=8, handlelength=1.2, columnspacing=spacing)
    place.legend(handles=handles, ncol=len(handles), loc=corner, bbox_to_anchor=anchor, **look)


def arrange(made):
    made.tight_layout(rect=made.inside)


def save(made, path, data):
    """Writes PATH.svg and PATH.png, both with the checksum of their data; returns their paths."""
    arrange(made)
    described = f"data sha256:{checksum(data)}"
    made.savefig(f"{path}.svg", metadata={"Date": None, "Description": described})
    made.savefig(f"{path}.png", dpi=150, metadata={"Description": described})
    pyplot.close(made)
    return [f"{path}.svg", f"{path}.png"]


def close(made):
    pyplot.close(made)
