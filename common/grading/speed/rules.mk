# The program that the grader times on a card; included by lab.mk for DEVICE=gpu.
MEASURED_OBJECTS := $(call gpu_objects,common/grading/speed/measured.cpp $(LAB)/timed_call.cpp)

$(OUT)/measured: $(KERNEL_OBJECT) $(MEASURED_OBJECTS)
	@$(NVCC) $(NVCC_FLAGS) $^ -o $@.new
	@mv $@.new $@

.PHONY: measured measured_objects
measured: checked $(OUT)/measured
# What is the same for all files that are measured.
measured_objects: checked $(MEASURED_OBJECTS)
