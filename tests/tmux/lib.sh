# shellcheck shell=sh
# Sourced by the scripts beside it: a terminal of our own by tmux, waiting for text, TAP. Scripts run in the top folder with BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-$PWD/build}
TMPDIR=${TMPDIR:-/tmp}
IODECK=$BUILD/iodeck
WORK=$(mktemp -d "$TMPDIR/deck.XXXXXX") || exit 2
opened=0
SOCKET=iodeck-test-$$-0
number=0
bad=0

T() { tmux -L "$SOCKET" -f /dev/null "$@"; }
tidy() {
	T kill-server 2>/dev/null
	rm -rf "$WORK"
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM

passed() {
	number=$((number + 1))
	echo "ok $number - $1"
}
failed() {
	number=$((number + 1))
	bad=1
	echo "not ok $number - $1"
	screen | sed 's/^/# /'
}
# check NAME STATUS: of a command just run.
check() { if [ "$2" -eq 0 ]; then passed "$1"; else failed "$1"; fi; }
finish() {
	echo "1..$number"
	exit $bad
}

screen() { T capture-pane -p -t deck 2>/dev/null; }
keys() { T send-keys -t deck "$@"; }
# type TEXT: as it stands, then Enter.
type_line() { T send-keys -t deck -l "$1" && T send-keys -t deck Enter; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# await PATTERN [SECONDS]: a basic regular expression on the screen; looks every 50 ms.
await() {
	end=$(($(milliseconds) + ${2:-15} * 1000))
	until screen | grep -q -- "$1"; do
		[ "$(milliseconds)" -lt "$end" ] || return 1
		sleep 0.05
	done
}
# gone PATTERN [SECONDS]
gone() {
	end=$(($(milliseconds) + ${2:-15} * 1000))
	while screen | grep -q -- "$1"; do
		[ "$(milliseconds)" -lt "$end" ] || return 1
		sleep 0.05
	done
}
# await_file FILE TEXT [SECONDS]
await_file() {
	end=$(($(milliseconds) + ${3:-15} * 1000))
	until grep -q -- "$2" "$1" 2>/dev/null; do
		[ "$(milliseconds)" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# open TERM LOCALE COLUMNS ROWS ARGS...: the deck in a shell of its own. What stty says before and after, and the exit status, go to
# files in $WORK.
open() {
	T kill-server 2>/dev/null
	opened=$((opened + 1))
	SOCKET=iodeck-test-$$-$opened # a server that is going would still be found under its name
	rm -f "$WORK/before" "$WORK/after" "$WORK/status" "$WORK/pid"
	term=$1 locale=$2 columns=$3 rows=$4
	shift 4
	cat >"$WORK/go.sh" <<-GO
		export TERM=$term LC_ALL=$locale IODECK_PRESETS=$PWD/presets
		trap : INT QUIT TSTP
		echo before the deck
		stty -a >"$WORK/before"
		sh -c 'echo \$\$ >"$WORK/pid"; exec "$IODECK" $*'
		echo \$? >"$WORK/status"
		stty -a >"$WORK/after"
		echo after the deck
		exec sleep 1000
	GO
	T new-session -d -s deck -x "$columns" -y "$rows" "sh $WORK/go.sh" 2>/dev/null
	T set -g window-size manual 2>/dev/null
}
resize() { T resize-window -t deck -x "$1" -y "$2"; }
pid() { cat "$WORK/pid"; }
# running PID: a dead process that nobody has waited for does not run.
running() { ps -o stat= -p "$1" 2>/dev/null | grep -q '^[^Z]'; }

# put_back NAME STATUS: the program has ended so, and the terminal is as it was.
put_back() {
	await_file "$WORK/status" '[0-9]'
	check "$1: ends with status $2" "$([ "$(cat "$WORK/status")" = "$2" ]; echo $?)"
	await 'after the deck' && { [ "$term" = vt100 ] || screen | grep -q 'before the deck'; }
	check "$1: back on the main screen" $?
	# the size may have been changed meanwhile
	sed 's/rows [0-9]*; columns [0-9]*;//' "$WORK/before" >"$WORK/b"
	sed 's/rows [0-9]*; columns [0-9]*;//' "$WORK/after" >"$WORK/a"
	cmp -s "$WORK/b" "$WORK/a"
	check "$1: stty as before" $?
	[ "$(T display-message -p -t deck '#{cursor_flag}#{alternate_on}#{mouse_any_flag}#{keypad_cursor_flag}')" = 1000 ]
	check "$1: cursor visible, no alternate screen, no mouse" $?
}
