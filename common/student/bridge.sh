# What the checks in bash ask of common/course; sourced in the course's root.
# shellcheck shell=bash
export LC_ALL=C
HERE=common/course
PROGRESS=build/progress
PYTHON=$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)
STUDENT=("$PYTHON" -E -S common/course/student.py)

ask() { # expression of Python that gives lines, arguments as words...
    "$PYTHON" -E -S -B -c 'import sys
sys.path[0] = "common"
from course import hint, places, progress, skeleton, state
words = sys.argv[2:]
print("\n".join(eval(sys.argv[1])))' "$@"
}
all_labs() { ask 'places.all_labs()'; }
source_of() { ask '[places.source_of(*words)]' "$@"; }
folder_of() { ask '[places.folder_of(*words)]' "$@"; }
judged_digest() { ask '[places.judged_digest(*words)]' "$@"; }
tests_digest() { ask '[places.tests_digest(*words)]' "$@"; }
parts() { # labs; lines 'lab part further'
    ask '[f"{lab} {part.name} " + ("yes" if part.further else "no")
          for lab in words for part in places.parts_of(lab)]' "$@"
}
items_of() { # lab, part
    ask '[item.name for of in state.state([words[0]]) if of.part == words[1] for item in of.items]' "$@"
}
hint_lines() { # item, hints.md; the number of each line within its hint
    ask '[str(n + 1) for one in hint.hints_for(*words) for n in range(len(one))]' "$@"
}
