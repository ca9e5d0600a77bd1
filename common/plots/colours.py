"""The colours of all figures: Okabe and Ito's, which colour-blind readers can tell apart."""

BLUE, SKY, GREEN = "#0072B2", "#56B4E9", "#009E73"
ORANGE, VERMILION, PURPLE, BLACK = "#E69F00", "#D55E00", "#CC79A7", "#000000"
GREY, PALE = "#808080", "#E6E6E6"
EDGE = {"M": BLUE, "N": ORANGE, "P": GREEN}
FILL = {"M": "#CDE6F7", "N": "#F7D48A", "P": "#BFE8DA", "product": "#FFFFFF", "other": PALE}
