#!/usr/bin/env python3
"""Lists what failed in runs of pytest, and ends with the line 'N passed, N failed'.

usage: counted.py FILE...    JUnit's XML, of a run each; a run that left no file has failed

Exit status 0: nothing failed; 1: a check did, or a run.
"""

import pathlib
import sys
import xml.etree.ElementTree as xml


def main(names: list[str]) -> int:
    passed, failed = 0, []
    for name in names:
        if not pathlib.Path(name).exists():
            failed.append(f"{name} is not there: this run came to no end")
            continue
        for case in xml.parse(name).iter("testcase"):
            ended = {one.tag for one in case}
            if ended & {"failure", "error"}:
                failed.append(f"{case.get('classname')}: {case.get('name')}")
            elif "skipped" not in ended:
                passed += 1
    print(
        "\n".join(
            ["", *(f"FAIL  {one}" for one in failed), f"{passed} passed, {len(failed)} failed"]
        )
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
