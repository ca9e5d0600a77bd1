# The programs of a part that `make explore` records: their kernel's object describes its local
# variables, and frames.S records their addresses. Included by program.mk.

KINDS := read write read_write $(foreach how,unaligned volatile unaligned_volatile,$(how)_read \
         $(how)_write)
ATOMIC := load store exchange compare_exchange_val compare_exchange_strong compare_exchange_weak \
          $(addprefix fetch_,add sub and or xor nand)
# The functions that a kernel calls at each access and each barrier.
FRAMED := $(foreach bytes,1 2 4 8 16,$(KINDS:%=__tsan_%$(bytes))) \
          $(foreach bits,8 16 32 64,$(ATOMIC:%=__tsan_atomic$(bits)_%)) __tsan_read_range \
          __tsan_write_range cusimMemcpy cusimMemmove cusimMemset \
          $(if $(findstring x86_64,$(HOST_VERSION)),cusimMemHeard cusimMemRead4 cusimMemWrite4) \
          _ZN5cusim12atomicAccessEPKvmS1_ _ZN5cusim12atomicAccessEPKvmS1_RKNS_10AccessModeE \
          $(patsubst %,_Z%N5cusim5WhereE,13__syncthreads \
          19__syncthreads_counti 16__syncthreads_ori 17__syncthreads_andi)

comma := ,
FRAMES := $(BUILD)/explore/frames.o
# For a lab's part; the website includes this file without one.
ifdef CHOSEN
$(OUT)/tests $(OUT)/run: LINK_LIBS += $(FRAMED:%=-Wl,--wrap=%)
$(OUT)/tests $(OUT)/run: $(FRAMES)
$(OUT)/%: DEFINES += -g
endif
ifndef FRAMES_RULE
FRAMES_RULE := here
$(FRAMES): common/explorer/frames.S common/explorer/explorer.mk
	@mkdir -p $(@D)
	@$(CXX) '-DFRAMED=$(subst $() $(),$(comma),$(strip $(FRAMED)))' -c $< -o $T && mv $T $@
endif
