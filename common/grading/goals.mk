# The teacher's goals; included by the root Makefile where this folder is, so not in a release.

define TEACHERS_HELP
@echo
@echo 'For teachers (solutions/README.md says more):'
@echo 'make release OUT=dir   the course without solutions; LABS="lab1 lab2": only these'
@echo 'In a lab: SOLUTION=1 puts the solution in the place of your own file'
endef

.PHONY: release
release:
	@common/grading/with_python.sh release
