# make | make install | make lint | make unit | make installcheck    (CONTRIBUTING.md says more)

EXTENSION  = extension/arbiter
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(EXTENSION).control)
MODULE_big = arbiter
PGFILEDESC = "arbiter - the database as the arbiter of concurrency"

INSTALL_SCRIPT = $(EXTENSION)--$(EXTVERSION).sql
DATA_built     = $(INSTALL_SCRIPT)

# In dependency order: the number says what a piece may build on. Listed, so that no stray file is installed.
SQL_PARTS = $(addprefix extension/install/, \
	00-arbiter.sql)

PURE_OBJS = $(patsubst %.cpp,%.o,$(wildcard src/base/*.cpp src/identity/[!_]*.cpp))
OBJS      = $(sort $(patsubst %.cpp,%.o,$(wildcard src/*.cpp src/*/*.cpp)))

CXX_STD       = -std=c++20
PG_CPPFLAGS   = -Isrc -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CXXFLAGS   = $(CXX_STD) -Wall -Wextra -Werror -Wno-register -Wno-psabi \
                -fvisibility=hidden -fvisibility-inlines-hidden -DARBITER_VERSION='"$(EXTVERSION)"'
SHLIB_LINK   += -lcrypto -lstdc++
EXTRA_CLEAN   = $(OBJS:.o=.d) $(OBJS:.o=.gcno) $(OBJS:.o=.gcda) build tmp_check

# make SAN=address,undefined | SAN=undefined | COV=1, each after a clean
ifdef SAN
# PGXS asks for -fwrapv, which silently turns the signed-overflow check off
PG_CXXFLAGS += -fsanitize=$(SAN) -O1 -fno-omit-frame-pointer -fno-wrapv -U_FORTIFY_SOURCE
SHLIB_LINK  += -fsanitize=$(SAN)
endif
ifdef COV
PG_CXXFLAGS += --coverage -O0 -U_FORTIFY_SOURCE
SHLIB_LINK  += --coverage
endif

# Bitcode would only let the planner's JIT inline our C entry points; nothing here is worth that.
override with_llvm := no

PG_CONFIG ?= pg_config
PGXS      := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# PGXS's own dependency tracking collides on equal base names in different folders.
src/%.o: src/%.cpp
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<
-include $(OBJS:.o=.d)

$(INSTALL_SCRIPT): $(SQL_PARTS) $(EXTENSION).control
	cat $(SQL_PARTS) > $@
