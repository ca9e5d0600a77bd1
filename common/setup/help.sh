#!/bin/sh
# Prints the text of `make` without a goal: what works on this machine, and the goals.
# usage: help.sh LAB...    the labs' short names
set -eu
common/setup/linux.sh || exit 0
sim='simulator: not ready (make doctor)'
if command -v g++ >/dev/null 2>&1 && common/setup/boost_context.sh >/dev/null; then
    sim='simulator: ready'
fi
toolkit='CUDA toolkit: no'
tests='make test      for teachers: test the course itself (takes minutes)'
[ -d solutions ] || tests="make test      test your own files in all labs; LABS=$1, PART=kernel"
common/setup/cuda.sh nvcc >/dev/null && toolkit='CUDA toolkit: found'
card='GPU: none'
if found=$(common/setup/cuda.sh card); then card="GPU: ${found%%,*}"; fi
cat <<END
$sim | $toolkit | $card

make demo      run each begun lab on its data sets and print a table
make $1      test your own files in a lab; there are $*
$tests
make try FILE=prog.cu  compile and run any CUDA program with all checks;
               ARGS="its arguments", CHECKS=, SCHEDULE=, PROFILE=, TRACE=
make progress  show which TODOs are done, which is next, which are open
make hint      show a hint for the next TODO
make editor    tell clangd, in an editor, how the files are compiled
make figures   draw pictures of what the kernels do, to build/figures
END
[ ! -d solutions ] || echo \
    'make bench     measure the simulator; DEVICE=gpu: kernels on a real card'
cat <<'END'
make doctor    show what is installed, what is missing, how to get it
make clean     remove build/, except the files that make reset has kept
In a lab: make test, make run, make watch, make reset; make help there
END
[ ! -f common/grading/help.txt ] || cat common/grading/help.txt
