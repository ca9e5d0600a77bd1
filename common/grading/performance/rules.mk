# The program that the grader times on a card; included by lab_rules.mk for DEVICE=gpu.
MEASURED_OBJECTS := $(call gpu_objects,common/grading/performance/measured.cpp \
                      common/grading/performance/entry/$(LAB).cpp)

$(OUT)/measured: $(KERNEL_OBJECT) $(MEASURED_OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -o $@.new
	@mv $@.new $@

.PHONY: measured measured_objects
measured: checked $(OUT)/measured
# What is the same for all files that are measured.
measured_objects: checked $(MEASURED_OBJECTS)
