"""Draws how tiles of 128 x 256 fill the SMs of an H200, wave after wave, for the ladder's page."""

ROWS, COLS, SMS = 128, 256, 132
SMS_A_MARK, MOST_MARKS = 12, 44
SHAPES = [(4096, 4096, 4096), (3072, 3072, 3072), (1536, 1536, 1536), (512, 16384, 512)]
SHAPES += [(4096, 4096, 64), (128, 16384, 128), (1, 4096, 4096)]


def drawn(tiles: int) -> str:
    """Returns a mark for each twelve SMs: # busy, . idle; a blank between waves."""
    waves = []
    for wave in range(-(-tiles // SMS)):
        busy = min(SMS, tiles - wave * SMS)
        marks = -(-busy // SMS_A_MARK)
        waves.append("#" * marks + "." * (SMS // SMS_A_MARK - marks))
    return " ".join(waves)


def table() -> str:
    lines = ["```text", "j x k x l             tiles  busy   waves, 12 SMs a mark"]
    for j, k, l in SHAPES:
        tiles = -(-j // ROWS) * -(-l // COLS)
        waves = -(-tiles // SMS)
        shape = f"{j} x {k} x {l}"
        busy = f"{100 * tiles / (waves * SMS):.0f} %"
        lines.append(f"{shape:<20} {tiles:>6} {busy:>5}   {drawn(tiles)}")
    return "\n".join([*lines, "```"])
