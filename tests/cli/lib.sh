# shellcheck shell=sh
# Sourced by the scripts beside it: run the program, look at what came out, print TAP.
# Scripts run in the top folder with BUILD and a TMPDIR of their own (tests/run.sh).
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-$PWD/build}
TMPDIR=${TMPDIR:-/tmp}
IODECK=$BUILD/iodeck
JSON=$BUILD/tests/cli/jsoncheck
TMP=$(mktemp -d "$TMPDIR/cli.XXXXXX") || exit 2
trap 'rm -rf "$TMP"' EXIT
out=$TMP/stdout err=$TMP/stderr
number=0
bad=0

# passed NAME / failed NAME [WHY] / skipped NAME REASON
passed() {
	number=$((number + 1))
	echo "ok $number - $1"
}
failed() {
	number=$((number + 1))
	bad=1
	echo "not ok $number - $1"
	[ $# -lt 2 ] || echo "$2" | head -n 20 | sed 's/^/# /'
}
skipped() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}
# check NAME COMMAND...: passed when the command succeeds.
check() {
	check_name=$1
	shift
	if why=$("$@" 2>&1); then passed "$check_name"; else failed "$check_name" "$* => $? $why"; fi
}
finish() {
	echo "1..$number"
	exit $bad
}

# run ARGS...: the program; status in $status, output in $out and $err.
run() {
	"$IODECK" "$@" >"$out" 2>"$err" </dev/null
	status=$?
}
# expect NAME STATUS [STDERR-TEXT]: of the last run; the text is taken as it stands.
expect() {
	if [ "$status" -ne "$2" ]; then
		failed "$1" "exit status $status, expected $2: $(cat "$err")"
	elif [ $# -gt 2 ] && ! grep -qF -- "$3" "$err"; then
		failed "$1" "stderr lacks '$3': $(cat "$err")"
	else
		passed "$1"
	fi
}
holds() { grep -qF -- "$2" "$1"; } # holds FILE TEXT
same() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }; }
json() { "$JSON" "$@"; }

# A valid little experiment with three steps, on stdout.
little_preset() {
	cat <<-'INI'
	# Is this thing on?
	[preset]
	title = A little experiment
	seed = 7
	[job users]
	numjobs = 8
	rw = randread
	bs = 8k
	[host]
	device = scsi
	qd = 4
	[array]
	servers = 2
	ctl = 200us
	ctl_shape = 4
	[step one]
	run = 5s
	set = qd=1
	[step two]
	run = 5s
	[step three]
	run = 5s
	set = qd=2
	INI
}
