# The teacher's goals; included by the root Makefile where this folder is, so not in a release.

include common/verdict/rules.mk
include common/verdict/guard/rules.mk
shared_by_checks: $(RECORDER) $(REPLAYER) $(GATE_SYMBOLS) $(BUILD)/guard_tries

define TEACHERS_HELP
@echo
@echo 'For teachers (solutions/README.md says more):'
@echo 'make release OUT=dir   the course without solutions; LABS="lab1 lab2"'
@echo 'make grade SUBMISSIONS=dir OUT=dir [LABS=] [SEED=] [DEVICE=gpu]'
@echo '                       marks for a class; with a card, for speed as well'
@echo 'make similarity SUBMISSIONS=dir OUT=dir   which submissions look alike; LABS='
@echo 'make gradescope OUT=autograder.zip   an autograder to upload to Gradescope'
@echo 'make github OUT=dir    into a released course: its GitHub workflow'
@echo 'make test LABS=lab2 PART=banks   only what is about that lab, or that part'
@echo 'In a lab: SOLUTION=1 puts the solution in the place of your own file'
endef

# What each of them reads; another name on the command line is a slip.
KNOWN_release := OUT LABS
KNOWN_similarity := SUBMISSIONS OUT LABS
KNOWN_gradescope := OUT LABS SEED
KNOWN_github := OUT LABS
KNOWN_grade := SUBMISSIONS OUT LABS SEED JOBS ENGINE DEVICE COMPILE_ONLY SANDBOX BUILD_SECONDS RUN_SECONDS MEMORY_GB
known_variables = @$(call mistyped,make $@,$(KNOWN_$@))

# Runs the package of this folder that is named after the goal; what it is to do stands in the
# environment. A make that it starts gets nothing of this one's command line.
define with_python
@command -v $(PYTHON) >/dev/null || { \
    echo 'make $@ needs Python 3: sudo apt-get install python3' >&2; exit 2; }
@env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PYTHONPATH=common/grading \
    PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m $@
endef

TEACHERS_GOALS := release similarity gradescope github grade
.PHONY: $(TEACHERS_GOALS)
release similarity gradescope github:
	$(known_variables)
	$(with_python)

# make grade SUBMISSIONS=dir OUT=dir [LABS=...] [JOBS=n] [SEED=secret] [DEVICE=gpu]; JOBS is for
# make as well, so that only one from the command line is the teacher's.
GRADE_JOBS := $(if $(filter command line environment,$(origin JOBS)),$(JOBS))
grade: export JOBS := $(GRADE_JOBS)
grade: ready
	$(known_variables)
	$(with_python)
