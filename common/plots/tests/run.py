"""Runs the tests of this folder; prints 'ok ...' or 'FAIL ...' for each.

usage: run.py NAME...    modules, such as test_phases, or a test, as test_drawing.test_page
"""

import importlib
import sys
import traceback

import example  # noqa: F401  (puts the scripts on the path)


def main():
    status = 0
    for word in sys.argv[1:]:
        module, _, chosen = word.partition(".")
        for name, test in vars(importlib.import_module(module)).items():
            if not name.startswith(chosen or "test_"):
                continue
            try:
                test()
                print(f"ok figures: {test.__doc__}", flush=True)
            except Exception as error:
                status = 1
                place = traceback.extract_tb(error.__traceback__)[-1]
                text = str(error).replace("\n", " ")[:300]
                where = f"{module}.py, {place.name}, line {place.lineno}"
                print(f"FAIL figures: {test.__doc__} ({where}: {text})", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
