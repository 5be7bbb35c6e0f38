# iodeck: build, install, test. `make help` lists the targets.

# ---- variables a person may set: make CC=clang PREFIX=/usr ----
CC       ?= gcc
CFLAGS   ?= -O2 -g
LDFLAGS  ?=
WARNINGS ?= -Wall -Wextra -Wformat=2 -Wwrite-strings -Wshadow
PREFIX   ?= /usr/local
DESTDIR  ?=
BUILD    ?= build
# Sanitizers, e.g. SAN=address,undefined or SAN=thread; built apart in build/san-...
SAN      ?=
# YES=1: install missing packages without asking.
YES      ?=
# V=1: show the commands.
V        ?=
# ARGS: what `make run` hands to the program, e.g. ARGS=hyperpav.
ARGS     ?=
# Where curses lives; on a system without a separate tinfo: CURSES_LIBS=-lncursesw
CURSES_LIBS ?= -lncursesw -ltinfo
# Where the headers of libnl-3 are.
NL_CPPFLAGS ?= -isystem /usr/include/libnl3
VERSION  := 0.1.0

# ---- derived ----
ifeq ($(origin CC),default)
CC := gcc
endif
comma := ,
ifneq ($(SAN),)
B := $(BUILD)/san-$(subst $(comma),-,$(SAN))
SAN_FLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
else
B := $(BUILD)
SAN_FLAGS :=
endif

# -iquote: none of our headers can stand in for one of the system's.
CPPFLAGS_ALL := -D_GNU_SOURCE -DNCURSES_WIDECHAR=1 -DIODECK_VERSION='"$(VERSION)"' \
	-iquote engine -iquote probes -iquote tui -iquote tests $(NL_CPPFLAGS) $(CPPFLAGS)
# No contraction of a*b+c: results are the same on every machine and compiler.
CFLAGS_ALL := -std=c11 $(CFLAGS) -ffp-contract=off -pthread $(WARNINGS) $(SAN_FLAGS)
# Warnings are errors where we look at them, not on a user's newer compiler.
ifeq ($(CI),true)
CFLAGS_ALL += -Werror
endif
LDFLAGS_ALL := $(LDFLAGS) -pthread $(SAN_FLAGS)
LDLIBS_ALL := -liniparser -ljansson -laio -lblkid -lmount -lnl-3 -lnl-route-3 -ldevmapper $(CURSES_LIBS) $(LDLIBS)

ENGINE_SRC := $(wildcard engine/*.c engine/*/*.c)
PROBES_SRC := $(wildcard probes/*.c)
TUI_SRC    := $(filter-out tui/main.c,$(wildcard tui/*.c))
# Two files become shared objects of their own, made by the scripts that load them.
TEST_SRC   := $(filter-out tests/real/interpose.c tests/bench/first.c tests/fuzz/%,$(wildcard tests/*/*.c))
# tests/DIR/test_X.c is a test, any other file there with a main is a tool, the rest supports them.
TEST_MAIN  := $(if $(TEST_SRC),$(shell grep -lE '^int main\>' $(TEST_SRC)))
TEST_AID   := $(filter-out $(TEST_MAIN),$(TEST_SRC))
BENCH_PROG := $(patsubst %.c,$(B)/%,$(filter tests/bench/%,$(TEST_MAIN)))
TEST_PROG  := $(patsubst %.c,$(B)/%,$(filter-out tests/bench/%,$(TEST_MAIN)))

ENGINE_LIB := $(B)/libengine.a
PROBES_LIB := $(B)/libprobes.a
TUI_LIB    := $(B)/libtui.a
AID_LIB    := $(B)/tests/libaid.a
OBJ = $(patsubst %.c,$(B)/%.o,$(1))
ALL_OBJ := $(call OBJ,$(ENGINE_SRC) $(PROBES_SRC) $(TUI_SRC) tui/main.c $(TEST_SRC))

# As many jobs as there are processors, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
Q := $(if $(V),,@)
.DELETE_ON_ERROR:
.SECONDARY:

# ---- build ----
.PHONY: all
all: $(B)/iodeck

$(B)/iodeck: $(call OBJ,tui/main.c) $(TUI_LIB) $(PROBES_LIB) $(ENGINE_LIB)
	@echo '  LINK $@'
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
	@ln -sfnr presets $(B)/presets # where the program looks for them, wherever BUILD is

# An archive is made anew, so that a removed source leaves it.
$(ENGINE_LIB): $(call OBJ,$(ENGINE_SRC))
$(PROBES_LIB): $(call OBJ,$(PROBES_SRC))
$(TUI_LIB): $(call OBJ,$(TUI_SRC))
$(AID_LIB): $(call OBJ,$(TEST_AID))
$(ENGINE_LIB) $(PROBES_LIB) $(TUI_LIB) $(AID_LIB): $(B)/sources
	@echo '  AR   $@'
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(B)/%.o: %.c $(B)/flags | $(BUILD)/program-packages
	@echo '  CC   $@'
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(TEST_PROG) $(BENCH_PROG): $(B)/%: $(B)/%.o $(AID_LIB) $(TUI_LIB) $(PROBES_LIB) $(ENGINE_LIB)
	@echo '  LINK $@'
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(TEST_LIBS) $(LDLIBS_ALL)
$(TEST_PROG): TEST_LIBS = -lcmocka -lvterm -lutil -lm
$(BENCH_PROG): TEST_LIBS = -lvterm -lutil -lm

# Rewritten only when their text changes: new flags build everything again, a source that came or went its archive.
.PHONY: FORCE
FORCE:
$(B)/flags: TEXT = $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL)
$(B)/sources: TEXT = $(ENGINE_SRC) $(PROBES_SRC) $(TUI_SRC) $(TEST_AID)
$(B)/flags $(B)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(TEXT))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(TEXT))' >$@

# One clear sentence in place of "curses.h: No such file" when a library is missing.
$(BUILD)/program-packages: .ci/deps.sh
	@mkdir -p $(@D)
	@CC='$(CC)' .ci/deps.sh check program
	@touch $@

-include $(ALL_OBJ:.o=.d)

# ---- packages ----
# `deps` installs what is missing: for the program, for its tests, for the benchmarks.
.PHONY: deps deps-program deps-tests deps-bench deps-vm
deps:
	@YES='$(YES)' CC='$(CC)' .ci/deps.sh install program tests bench
deps-program:
	@YES='$(YES)' CC='$(CC)' .ci/deps.sh install program
deps-tests:
	@YES='$(YES)' CC='$(CC)' .ci/deps.sh install program tests
deps-bench:
	@YES='$(YES)' CC='$(CC)' .ci/deps.sh install program bench
deps-vm:
	@YES='$(YES)' CC='$(CC)' .ci/deps.sh install program tests vm

# ---- run ----
.PHONY: run
run:
	@$(MAKE) --no-print-directory deps-program
	@$(MAKE) --no-print-directory all
	@exec $(B)/iodeck $(ARGS)

# ---- gates ----
.PHONY: check tests lint bench vm-check
check:
	@$(MAKE) --no-print-directory deps-tests
	@$(MAKE) --no-print-directory tests
	@BUILD='$(B)' SAN='$(SAN)' CC='$(CC)' tests/run.sh

# Everything `check` runs, built but not run.
tests: all $(TEST_PROG) $(BENCH_PROG)

# A Debian kernel in an emulator, with SCSI, multipath, md and null_blk devices of its own (apt only).
vm-check:
	@$(MAKE) --no-print-directory deps-vm
	@$(MAKE) --no-print-directory all $(B)/tests/vm/drive
	@BUILD='$(B)' tests/vm/check.sh

bench:
	@$(MAKE) --no-print-directory deps-bench
	@$(MAKE) --no-print-directory all $(BENCH_PROG)
	@BUILD='$(B)' tests/bench/run.sh

# Kill a durable volume on loop devices at any moment, many times (`check` does it 20 times). ROUNDS, SEED: how many, and of the first.
.PHONY: crash-rounds
crash-rounds: $(B)/tests/real/test_crash
	@CRASH_ROUNDS='$(or $(ROUNDS),1000)' CRASH_SEED='$(or $(SEED),1)' $(B)/tests/real/test_crash

# Every parser of the kernel's texts under libFuzzer, FUZZ_SECONDS each, from a corpus made of the fixtures. Needs clang.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS := diskstats dasd_proc dasd_debugfs dasd_devices mdstat system dm uevent undo
FUZZ_PROG := $(addprefix $(BUILD)/fuzz/,$(FUZZ_TARGETS))
FUZZ_SRC := tests/fuzz/fuzz_texts.c $(addprefix probes/,diskstats.c dasd_text.c dasd_statistics.c md_text.c system_text.c words.c dm_parse.c dm_stats.c uevent_parse.c undo_text.c) \
	engine/base/text.c engine/base/strbuf.c engine/base/units.c engine/base/err.c
.PHONY: fuzz
fuzz: $(FUZZ_PROG)
	@BUILD='$(BUILD)' tests/fuzz/lib_fuzz.sh $(FUZZ_SECONDS)
$(BUILD)/fuzz/%: $(FUZZ_SRC)
	@echo '  FUZZ $@'
	@mkdir -p $(@D)
	$(Q)clang $(CPPFLAGS_ALL) -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Wno-unused-function \
		-DFUZZ=fuzz_$* -o $@ $(FUZZ_SRC) -lm

lint:
	@CPPFLAGS="$(subst ",\",$(CPPFLAGS_ALL))" .ci/lint.sh

# The pictures of the README (needs rsvg-convert, of librsvg2-bin): the same bytes every time.
.PHONY: screenshots
screenshots: $(B)/iodeck $(B)/tests/screens/shot
	@command -v rsvg-convert >/dev/null || { echo 'make screenshots needs rsvg-convert (Debian: librsvg2-bin)' >&2; exit 1; }
	@BUILD='$(B)' tests/screens/lib_pictures.sh

# ---- install ----
.PHONY: install uninstall clean help
install: all
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/iodeck/presets'
	install -m 755 $(B)/iodeck '$(DESTDIR)$(PREFIX)/bin/iodeck'
	install -m 644 $(wildcard presets/*.ini) '$(DESTDIR)$(PREFIX)/share/iodeck/presets/'
	$(if $(wildcard tui/iodeck.1),install -d '$(DESTDIR)$(PREFIX)/share/man/man1')
	$(if $(wildcard tui/iodeck.1),install -m 644 tui/iodeck.1 '$(DESTDIR)$(PREFIX)/share/man/man1/iodeck.1')

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/iodeck' '$(DESTDIR)$(PREFIX)/share/man/man1/iodeck.1'
	rm -rf '$(DESTDIR)$(PREFIX)/share/iodeck'

clean:
	rm -rf '$(BUILD)'

help:
	@echo 'make            build $(BUILD)/iodeck'
	@echo 'make run        install what is missing, build, open the deck (ARGS="hyperpav")'
	@echo 'make check      install what is missing, build, run every test (SAN=address,undefined, SAN=thread)'
	@echo 'make deps       install what is missing for program, tests and benchmarks (YES=1: do not ask)'
	@echo 'make vm-check   turn the kernel'"'"'s knobs for real, in a small virtual machine'
	@echo 'make crash-rounds  kill a durable volume 1000 times (ROUNDS=, SEED=)'
	@echo 'make bench      measure the speed of iodeck itself, with fio beside it'
	@echo 'make screenshots  draw the pictures of the README'
	@echo 'make fuzz       every parser of the kernel under libFuzzer, 60 s each (FUZZ_SECONDS=60)'
	@echo 'make lint       clang-format, clang-tidy, cppcheck'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR='
	@echo 'make clean'
