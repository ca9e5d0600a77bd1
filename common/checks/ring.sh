#!/bin/sh
# Runs the checks of a ring with pytest, as many at a time as the machine has room for: `quick` those
# of make test, `full` all others, and the quick ones first, unless these have just run.
# usage: ring.sh quick|full LABS PART [WORD...]    '' means all labs, or all parts; WORD: words of
#        pytest that choose the checks, instead of a ring
set -eu
cd "$(dirname "$0")/../.."
ring=$1 labs=$2 part=$3
shift 3
python=$(common/setup/python.sh pytest xdist yaml) || {
    echo "No Python here has pytest: sudo apt-get install python3-pytest-xdist python3-yaml" >&2
    exit 2
}
logs=build/check
made=$logs/quick.status # the result of the quick ring
mkdir -p "$logs"
export CHECKED_LABS="$labs" CHECKED_PART="$part"
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 # other installed plugins may change a run

DRAW=${DRAW:-$(git rev-parse --short HEAD 2>/dev/null || echo 0)}
export DRAW
echo "Known mistakes, styles and attacks are drawn by DRAW=$DRAW."

checks() {
    # Two more than there are cores, as a check waits for nearly half of its time.
    "$python" -B -m pytest -c common/checks/pytest.ini --rootdir=. -p xdist.plugin \
        -n $(($(common/setup/jobs.sh) + 2)) --dist loadgroup --max-worker-restart=8 \
        --durations=15 --durations-min=5 -rfE -q "$@" || [ $? = 5 ] # 5: none of these is chosen
}
make_ring() {
    rm -f "$logs/$1.xml"
    "$python" -B common/checks/kit/build_parts.py "$1" "$labs" "$part"
    checks -m "$2" --junitxml="$logs/$1.xml" common/checks common/grading/tests
}
quick() {
    rm -f "$made"
    status=0
    make_ring quick 'not full' || status=1
    echo "$status $labs/$part" >"$made"
    return "$status"
}
# Whether the quick ring has run for these labs since the last change of a file.
just_made() {
    [ -e "$made" ] && [ "$(cut -d' ' -f2- "$made")" = "$labs/$part" ] &&
        [ -z "$(git ls-files -z | xargs -0 sh -c 'find "$@" -maxdepth 0 -newer '"$made" find)" ]
}

if [ $# != 0 ]; then
    "$python" -B common/checks/kit/build_parts.py full "$labs" "$part"
    checks "$@"
elif [ "$ring" = quick ]; then
    quick
else
    failed=0
    just_made || quick || :
    make_ring full full || failed=1
    [ "$(cut -d' ' -f1 "$made")" = 0 ] || {
        echo 'A check of make test has failed before these.' >&2
        failed=1
    }
    exit "$failed"
fi
