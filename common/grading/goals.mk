# The teacher's goals; included by the root Makefile where this folder is, so not in a release.

define TEACHERS_HELP
@echo
@echo 'For teachers (solutions/README.md says more):'
@echo 'make release OUT=dir   the course without solutions; LABS="lab1 lab2"'
@echo 'make similarity SUBMISSIONS=dir OUT=dir   which submissions look alike; LABS='
@echo 'make gradescope OUT=autograder.zip   an autograder to upload to Gradescope'
@echo 'make github OUT=dir    into a released course: its GitHub workflow'
@echo 'In a lab: SOLUTION=1 puts the solution in the place of your own file'
endef

.PHONY: release similarity gradescope github
release similarity gradescope github:
	@common/grading/with_python.sh $@
