#!/bin/sh
# What can be said about the sources without running them. Uses the tools that are there and names those that are not.
# Environment: CPPFLAGS of the build.
set -u
cd "$(dirname "$0")/.." || exit 2
CPPFLAGS=${CPPFLAGS:--D_GNU_SOURCE -DNCURSES_WIDECHAR=1 -iquote engine -iquote tui -iquote tests}
sources=$(find engine tui probes tests -name '*.c' 2>/dev/null | sort)
headers=$(find engine tui probes tests -name '*.h' 2>/dev/null | sort)
scripts=$(find tests .ci -name '*.sh'; echo .ci/run)
code=0

with() { # with TOOL: whether it is there
	command -v "$1" >/dev/null 2>&1 && echo "-- $1" && return
	echo "-- $1 is not installed, skipped"
	return 1
}

# File names hold no blanks.
# shellcheck disable=SC2086
{
	if with clang-format; then clang-format --dry-run --Werror $sources $headers || code=1; fi
	if with shellcheck; then shellcheck -x $scripts || code=1; fi
	if with cppcheck; then
		cppcheck_flags=$(echo "$CPPFLAGS" | sed 's/-iquote /-I/g')
		cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr --error-exitcode=1 \
			--suppress=missingIncludeSystem -j "$(nproc)" $cppcheck_flags $sources || code=1
	fi
	if with clang-tidy; then
		# Each file by itself, as many at once as there are processors.
		# shellcheck disable=SC2016
		echo "$sources" | xargs -n 1 -P "$(nproc)" sh -c \
			'clang-tidy --quiet --warnings-as-errors="*" "$1" -- -std=c11 '"$CPPFLAGS"' 2>/dev/null' sh || code=1
	fi
}
exit $code
