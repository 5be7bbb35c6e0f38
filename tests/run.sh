#!/bin/sh
# Runs every test, two at a time, and counts. A test is a program built from tests/DIR/test_X.c or
# tests/stress/stress_X.c, or a script tests/DIR/X.sh (not lib*.sh, not tests/bench and tests/vm); it prints TAP. Arguments: run only these. Environment: BUILD, SAN (as given to make), JOBS, TEST_TIMEOUT (seconds each).
# The last line is `N passed, N failed, N skipped`; the exit status is 1 when something failed.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
SAN=${SAN:-}
export BUILD SAN
logs=$BUILD/tests/log

log_of() {
	echo "$logs/$(echo "${1#"$BUILD"/}" | tr '/' '_')"
}

# One test: output and status to files, in a folder for its temporary files that goes away.
run_one() {
	log=$(log_of "$1")
	work=$(mktemp -d "${TMPDIR:-/tmp}/iodeck-test.XXXXXX") || exit 1
	begin=$(date +%s)
	TMPDIR=$work XDG_DATA_HOME=$work/none timeout -k 10 "$TEST_TIMEOUT" "$1" \
		</dev/null >"$log.tap" 2>"$log.err"
	echo $? >"$log.status"
	echo $(($(date +%s) - begin)) >"$log.seconds"
	chmod -R u+w "$work" 2>/dev/null
	rm -rf "$work"
}

if [ "${1:-}" = --one ]; then
	run_one "$2"
	exit 0
fi

find_tests() {
	for script in tests/*.sh tests/*/*.sh; do
		case $script in tests/run.sh | tests/bench/* | tests/vm/* | */lib*.sh) ;; *) echo "$script" ;; esac
	done
	# By source, so that a program that was not built is missed.
	for source in tests/*/test_*.c tests/stress/stress_*.c; do
		case $source in tests/bench/* | *'*'*) ;; *) echo "$BUILD/${source%.c}" ;; esac
	done
}

# A folder of locales with a decimal comma among them, where they can be made. LOCPATH hides the system's own, hence the links.
make_locales() {
	[ -d "$locales/de_DE.UTF-8" ] && return
	mkdir -p "$locales"
	for known in /usr/lib/locale/*.utf8 /usr/lib/locale/*.UTF-8; do
		[ ! -e "$known" ] || ln -sf "$known" "$locales/"
	done
	localedef -i de_DE -f UTF-8 "$locales/de_DE.UTF-8" >/dev/null 2>&1
}

# Leaks can only be looked for where a process may trace another.
sanitizer_options() {
	UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
	TSAN_OPTIONS=halt_on_error=1
	# The deck's own handler for a crash must run, as it does without the sanitizer.
	ASAN_OPTIONS=handle_segv=0:detect_leaks=1
	export UBSAN_OPTIONS TSAN_OPTIONS ASAN_OPTIONS
	case $SAN in *address*) ;; *) return ;; esac
	if ! "$BUILD/iodeck" --version >/dev/null 2>&1; then
		ASAN_OPTIONS=handle_segv=0:detect_leaks=0
		echo "# leaks are not looked for: this machine does not let a process trace another"
	fi
}

case $SAN in '') limit=200 ;; *thread*) limit=1800 ;; *) limit=600 ;; esac
TEST_TIMEOUT=${TEST_TIMEOUT:-$limit}
CMOCKA_MESSAGE_OUTPUT=TAP
LC_ALL=C.UTF-8
TZ=UTC
export TEST_TIMEOUT CMOCKA_MESSAGE_OUTPUT LC_ALL TZ
unset NO_COLOR IODECK_PRESETS CMOCKA_XML_FILE CMOCKA_TEST_FILTER MAKEFLAGS MAKELEVEL
[ -n "$SAN" ] && sanitizer_options
locales=$BUILD/tests/locale
make_locales && export LOCPATH="$locales"
[ $# -gt 0 ] || {
	# Long ones first, so that both places are busy to the end. Names hold no blanks.
	# shellcheck disable=SC2046
	set -- $(find_tests | awk '/model\/|determinism|tmux/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }')
}
rm -rf "$logs"
mkdir -p "$logs" || exit 2
printf '%s\n' "$@" | xargs -n 1 -P "${JOBS:-2}" "$0" --one

# Reads the TAP of one test; prints what to tell and, last, "passed failed skipped".
# The dollar signs are awk's.
# shellcheck disable=SC2016
judge='
function tell(text) { print "    " text }
function reason(line) { sub(/.*# *[sS][kK][iI][pP][^ ]* */, "", line); return line == "" ? "no reason given" : line }
/^1\.\.[0-9]+/ {
	planned = 1
	split($1, part, "[.][.]")
	plan += part[2]
	if (part[2] == 0) { skipped++; tell("skipped: " name ": " reason($0)) }
}
/^(not )?ok/ {
	seen++
	if (tolower($0) ~ /# *skip/) {
		skipped++
		what = $0
		sub(/^(not )?ok[ 0-9]*(- )?/, "", what)
		sub(/ *# *[sS][kK][iI][pP].*/, "", what)
		# cmocka gives the name of the test in place of a reason; the reason is then the comment before it
		if (what == "") tell("skipped: " name ": " reason($0) (said ? ": " said : ""))
		else tell("skipped: " name ": " what ": " reason($0))
	} else if ($1 == "ok") passed++
	else { failed++; tell("failed: " name ": " $0) }
}
{ said = /^# ./ ? substr($0, 3) : "" }
/^Bail out!/ { bailed = 1; tell("failed: " name ": " $0) }
END {
	bad = 0
	if (status == 124 || status == 137) { bad = 1; tell("failed: " name ": not done after " limit " s") }
	else if (status == 126 || status == 127) { bad = 1; tell("failed: " name ": cannot be run") }
	else if (bailed) bad = 1
	else if (!planned) { bad = 1; tell("failed: " name ": printed no plan, exit status " status) }
	else if (seen != plan) { bad = 1; tell("failed: " name ": " seen + 0 " of " plan " results, exit status " status) }
	else if (status != 0 && !failed) { bad = 1; tell("failed: " name ": exit status " status) }
	print passed + 0, failed + bad, skipped + 0
}'

all_passed=0 all_failed=0 all_skipped=0
for test in "$@"; do
	log=$(log_of "$test")
	name=${test#"$BUILD"/}
	[ -f "$log.status" ] || { : >"$log.tap"; : >"$log.err"; echo 127 >"$log.status"; echo 0 >"$log.seconds"; }
	told=$(awk -v name="$name" -v status="$(cat "$log.status")" -v limit="$TEST_TIMEOUT" "$judge" "$log.tap")
	# shellcheck disable=SC2046
	set -- $(echo "$told" | tail -n 1)
	passed=$1 failed=$2 skipped=$3
	all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed)) all_skipped=$((all_skipped + skipped))
	printf '%-6s %-40s %s s, %s passed, %s failed, %s skipped\n' \
		"$([ "$failed" -eq 0 ] && echo ok || echo FAILED)" "$name" "$(cat "$log.seconds")" "$passed" "$failed" "$skipped"
	echo "$told" | sed '$d'
	if [ "$failed" -gt 0 ]; then
		echo "    ---- output of $name"
		tail -n 60 "$log.tap" | sed 's/^/    /'
		echo "    ---- its messages"
		tail -n 60 "$log.err" | sed 's/^/    /'
		echo "    ----"
	fi
done
echo "$all_passed passed, $all_failed failed, $all_skipped skipped"
[ "$all_failed" -eq 0 ] && [ "$all_passed" -gt 0 ]
