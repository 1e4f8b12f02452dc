# make | make install | make lint | make unit | make installcheck | make dist    (CONTRIBUTING.md says more)

EXTENSION  = extension/arbiter
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(EXTENSION).control)
MODULE_big = arbiter
PGFILEDESC = "arbiter - the database as the arbiter of concurrency"

# Not INSTALL_SCRIPT: PGXS calls /usr/bin/install by that name, and a rule for it would overwrite the program.
SQL_SCRIPT = $(EXTENSION)--$(EXTVERSION).sql
DATA_built = $(SQL_SCRIPT) $(UPDATE_SCRIPTS)

# In dependency order: the number says what a piece may build on. Listed, so that no stray file is installed.
SQL_PARTS = $(addprefix extension/install/, \
	00-arbiter.sql \
	10-store.sql \
	20-identity.sql \
	22-derivation.sql \
	24-shard.sql \
	25-lock.sql \
	30-log.sql \
	32-feed.sql \
	35-command.sql \
	40-claim.sql \
	45-guard.sql \
	50-pool.sql \
	60-machine.sql \
	65-sweep.sql \
	80-projection.sql \
	90-observe.sql)

# extension/update/FROM--TO.sql; what must be asked at the end of each stands behind it by construction.
UPDATE_END     = extension/update/end.sql
UPDATE_SCRIPTS = $(patsubst extension/update/%.sql,$(EXTENSION)--%.sql,$(wildcard extension/update/*--*.sql))

OBJS      = $(sort $(patsubst %.cpp,%.o,$(wildcard src/*.cpp src/*/*.cpp)))

CXX_STD       = -std=c++20
PG_CPPFLAGS   = -Isrc -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CXXFLAGS   = $(CXX_STD) -Wall -Wextra -Werror -Wno-register -Wno-psabi \
                -fvisibility=hidden -fvisibility-inlines-hidden -DARBITER_VERSION='"$(EXTVERSION)"'
SHLIB_LINK   += -lcrypto -lstdc++
EXTRA_CLEAN   = $(wildcard test/boundary/*.o test/boundary/*.d test/boundary/*.so) $(OBJS:.o=.d) build tmp_check

# Bitcode would only let the planner's JIT inline our C entry points; nothing here is worth that.
override with_llvm := no

# make installcheck, against a running server: both suites once. tools/test does more, and sets up the server too.
REGRESS        = $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS_OPTS   = --load-extension=arbiter --encoding=UTF8 --outputdir=tmp_check/installcheck
ISOLATION      = $(patsubst test/isolation/specs/%.spec,%,$(sort $(wildcard test/isolation/specs/*.spec)))
ISOLATION_OPTS = --load-extension=arbiter --encoding=UTF8 --inputdir=test/isolation --outputdir=tmp_check/installcheck
REGRESS_PREP   = prepare-installcheck

PG_CONFIG ?= pg_config
PGXS      := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# PGXS's own dependency tracking collides on equal base names in different folders.
src/%.o: src/%.cpp
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<
-include $(OBJS:.o=.d)

# The boundary's own objects with functions that raise in every place there is (sql/boundary.sql). Never shipped.
TEST_LIBRARY = test/boundary/arbiter_test.so
test/boundary/%.o: test/boundary/%.cpp
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<
-include test/boundary/arbiter_test.d
TEST_OBJS    = test/boundary/arbiter_test.o $(filter src/base/% src/pg/%,$(OBJS))
$(TEST_LIBRARY): $(TEST_OBJS)
	$(CXX) $(CXXFLAGS) -shared -o $@ $^ $(SHLIB_LINK)

# The same library with every append on its portable path (src/log/path.cpp), for the suites to pass on both.
PORTABLE_LIBRARY = build/portable/arbiter.so
build/portable/path.o: src/log/path.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -DARBITER_FORCE_PORTABLE -c -o $@ $<
$(PORTABLE_LIBRARY): build/portable/path.o $(filter-out src/log/path.o,$(OBJS))
	$(CXX) $(CXXFLAGS) -shared -o $@ $^ $(SHLIB_LINK)

# Both libraries once more, instrumented, for LIBRARY= of tools/stage: build/{address,undefined,coverage}/*.so.
# PGXS asks for -fwrapv, which silently turns the check of signed overflows off.
SANITIZE_FLAGS  = -O0 -g1 -fno-omit-frame-pointer -fno-wrapv -U_FORTIFY_SOURCE -fno-sanitize-recover=all
address_FLAGS   = -fsanitize=address,undefined $(SANITIZE_FLAGS)
undefined_FLAGS = -fsanitize=undefined $(SANITIZE_FLAGS)
coverage_FLAGS  = --coverage -O0 -U_FORTIFY_SOURCE
define instrumented
build/$(1)/%.o: %.cpp
	@mkdir -p $$(@D)
	$$(CXX) $$(CXXFLAGS) -Wno-error $$(CPPFLAGS) $$($(1)_FLAGS) -MMD -MP -c -o $$@ $$<
build/$(1)/arbiter.so: $$(OBJS:%=build/$(1)/%)
build/$(1)/arbiter_test.so: $$(TEST_OBJS:%=build/$(1)/%)
build/$(1)/%.so:
	$$(CXX) $$(CXXFLAGS) $$($(1)_FLAGS) -shared -o $$@ $$^ $$(SHLIB_LINK)
-include $$(wildcard build/$(1)/*/*.d build/$(1)/*/*/*.d build/$(1)/*/*/*/*.d)
endef
$(foreach variant,address undefined coverage,$(eval $(call instrumented,$(variant))))

UNIT_SOURCES := $(sort $(shell find test/unit -name '*_test.cpp')) $(shell tools/pure-sources)
build/coverage/unit: $(UNIT_SOURCES:%.cpp=build/coverage/%.o)
	$(CXX) --coverage -o $@ $^ -lgtest_main -lgtest -lcrypto -pthread

# The same library with a fault in the server call or the allocation that a test asks for (test/faults/). It has its own
# copy of the C++ library, so that the allocations in there are seen as well.
FAULTY_LIBRARY = build/faults/arbiter.so
build/faults/guard.o: src/pg/guard.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -DARBITER_FAULTS -MMD -MP -c -o $@ $<
build/faults/faults.o: test/faults/faults.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<
-include $(wildcard build/faults/*.d)
$(FAULTY_LIBRARY): build/faults/guard.o build/faults/faults.o $(filter-out src/pg/guard.o,$(OBJS))
	$(CXX) $(CXXFLAGS) -shared -static-libstdc++ -Wl,-Bsymbolic,--exclude-libs,ALL -o $@ $^ $(filter-out -lstdc++,$(SHLIB_LINK))

# A library whose lower_ascii forgets the Z: what no update may bring. For test/tap/derivation_update.pl.
DRIFTED_LIBRARY = build/drifted/arbiter_drifted.so
build/drifted/normalize.cpp: src/identity/normalize.cpp
	@mkdir -p $(@D)
	sed "s/change_case(state, 'A', 'Z', scratch)/change_case(state, 'A', 'Y', scratch)/" $< > $@
	! cmp -s $< $@
build/drifted/normalize.o: build/drifted/normalize.cpp
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<
$(DRIFTED_LIBRARY): build/drifted/normalize.o $(filter-out src/identity/normalize.o,$(OBJS))
	$(CXX) $(CXXFLAGS) -shared -o $@ $^ $(SHLIB_LINK)

# Updates that change nothing, to versions before and after this one, for the tests of what ends an update.
TEST_UPDATES = build/update/arbiter--$(EXTVERSION)--0.0.1.sql build/update/arbiter--$(EXTVERSION)--999.0.sql
$(TEST_UPDATES): $(UPDATE_END)
	@mkdir -p $(@D)
	cat $^ > $@

.PHONY: install-test-library
install-test-library: $(TEST_LIBRARY) $(DRIFTED_LIBRARY) $(TEST_UPDATES)
	test/upgrade/versions build/versions $(EXTVERSION) $(UPDATE_END)
	$(MKDIR_P) '$(DESTDIR)$(pkglibdir)' '$(DESTDIR)$(datadir)/extension'
	$(INSTALL_SHLIB) $(TEST_LIBRARY) $(DRIFTED_LIBRARY) '$(DESTDIR)$(pkglibdir)/'
	$(INSTALL_DATA) $(TEST_UPDATES) build/versions/*.sql '$(DESTDIR)$(datadir)/extension/'

# What arbiter.help says comes from the pages.
HELP_PAGES = doc/README.md $(filter-out doc/README.md,$(sort $(wildcard doc/*.md)))
$(SQL_SCRIPT): $(SQL_PARTS) $(EXTENSION).control extension/help.awk $(HELP_PAGES)
	{ cat $(SQL_PARTS) && awk -f extension/help.awk $(HELP_PAGES); } > $@
$(UPDATE_SCRIPTS): $(EXTENSION)--%.sql: extension/update/%.sql $(UPDATE_END) extension/help.awk $(HELP_PAGES)
	{ cat $< && awk -f extension/help.awk $(HELP_PAGES) && cat $(UPDATE_END); } > $@

# What a release ships: the tree of this commit, as PGXN takes it. test/package/run builds from it.
DIST = arbiter-$(EXTVERSION)
.PHONY: dist
dist:
	@mkdir -p build
	git archive --format=zip --prefix=$(DIST)/ --output=build/$(DIST).zip HEAD
	@echo build/$(DIST).zip

.PHONY: prepare-installcheck lint format unit clang

prepare-installcheck:
	@mkdir -p tmp_check/installcheck

# Each check says "ok" or "not ok" with what it found; all of them speak before the first failure counts.
lint: all
	@failed=0; for check in layers boundary objects sql version format tidy prove; do \
	    echo "# $$check"; PG_CONFIG='$(PG_CONFIG)' tools/lint/$$check || failed=1; \
	done; exit $$failed

format:
	find src test \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 clang-format -i

# The unit tests, with the sources that know no server, under the sanitizers and without the server's headers.
UNIT_OBJS  = $(UNIT_SOURCES:%.cpp=build/unit/%.o)
UNIT_FLAGS = $(CXX_STD) -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all

build/unit/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(UNIT_FLAGS) -Isrc -DARBITER_VERSION='"$(EXTVERSION)"' -MMD -MP -c -o $@ $<
build/unit/run: $(UNIT_OBJS)
	$(CXX) $(UNIT_FLAGS) -o $@ $^ -lgtest_main -lgtest -lcrypto -pthread
-include $(wildcard $(UNIT_OBJS:.o=.d))

unit: build/unit/run
	build/unit/run

# The second compiler's opinion; nothing is linked from it.
CLANG_OBJS = $(patsubst %.cpp,build/clang/%.o,$(OBJS:.o=.cpp))

build/clang/%.o: %.cpp
	@mkdir -p $(@D)
	clang++ $(PG_CXXFLAGS) -Wno-unknown-warning-option -O0 $(CPPFLAGS) -U_FORTIFY_SOURCE -MMD -MP -c -o $@ $<
-include $(wildcard $(CLANG_OBJS:.o=.d))

clang: $(CLANG_OBJS)
