# The teacher's goals; included by the root Makefile where this folder is, so not in a release.

include common/verdict/rules.mk
$(BUILD)/guard_tries: $(call of_room,verdict/guard/tests verdict/guard) $(RECORD_OBJECTS) \
                      $(TEST_LIB) $(SIM_LIB) $(MATRIX_LIB)
	@$(CXX) $^ $(SIM_LIBS) -o $@
shared_by_checks: $(RECORDER) $(REPLAYER) $(GATE_SYMBOLS) $(BUILD)/guard_tries

TEACHERS_GOALS := release similarity gradescope github grade
.PHONY: $(TEACHERS_GOALS)
grade: ready
# Runs the package of this folder that is named after the goal; what it is to do stands in the
# environment. A make that it starts gets nothing of this one's command line.
$(TEACHERS_GOALS):
	$(needs_python)
	$(call known_alone,make $@,$$(sed -n 's/^$@: //p' common/grading/variables.txt))
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PYTHONPATH=common/grading \
	    PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m $@
