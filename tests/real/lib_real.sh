# shellcheck shell=sh
# Sourced by the scripts beside it: loop devices and files of our own, taken down again whatever happens.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

loops=$TMP/loops mounts=$TMP/mounts
: >"$loops" && : >"$mounts"

# A number that was given back may be somebody else's by now.
is_ours() {
	case $(losetup -n -O BACK-FILE "$1" 2>/dev/null) in "$TMP"/*) ;; *) return 1 ;; esac
}
put_back() {
	while read -r m; do umount "$m" 2>/dev/null || umount -l "$m" 2>/dev/null; done <"$mounts"
	while read -r l; do
		is_ours "$l" || continue
		swapoff "$l" 2>/dev/null
		partx -d "$l" 2>/dev/null
		losetup -d "$l" 2>/dev/null
	done <"$loops"
	rm -rf "$TMP"
}
trap put_back EXIT
trap 'exit 1' HUP INT TERM

# Why loop devices cannot be had here; empty when they can.
no_loops() {
	[ "$(id -u)" = 0 ] || { echo 'loop devices need root'; return; }
	command -v losetup >/dev/null 2>&1 || { echo 'no losetup'; return; }
	: >"$TMP/probe" && truncate -s 1M "$TMP/probe"
	d=$(losetup -f --show "$TMP/probe" 2>/dev/null) || { echo 'no loop devices here'; return; }
	losetup -d "$d"
}

# loop NAME SIZE [LOSETUP-OPTIONS...]: a new loop device over a written file of that name; prints its node
loop() {
	loop_file=$TMP/$1
	[ -e "$loop_file" ] || dd if=/dev/urandom of="$loop_file" bs=1M count="$2" status=none
	shift 2
	losetup -f --show "$@" "$loop_file" | tee -a "$loops"
}

unloop() { losetup -d "$1"; }
sum() { cksum <"$1"; }

# A preset that reads, or with `randwrite` writes, for a moment.
moment() { # moment RW [MORE-LINES]
	cat <<-INI
	# What happens in a moment?
	[job a]
	rw = $1
	bs = 4k
	iodepth = 4
	number_ios = 50
	[step one]
	run = until done
	INI
}

# timed SECONDS [iodepth]
timed() {
	cat <<-INI
	# How long?
	[job a]
	rw = randread
	bs = 4k
	iodepth = ${2:-8}
	[step one]
	run = $1s
	INI
}
value() { json "$TMP/j" "$1"; }
# limited SECONDS ARGS...: the program, which must not hang
limited() {
	seconds=$1
	shift
	rm -f "$TMP/j"
	timeout -k 2 "$seconds" "$IODECK" "$@" --json "$TMP/j" >"$out" 2>"$err" </dev/null
	status=$?
}

# interposer: compiles the library that stands between iodeck and libaio to $TMP/interpose.so; false when it cannot be had
interposer() {
	[ -z "${SAN:-}" ] && ${CC:-cc} -D_GNU_SOURCE -shared -fPIC -o "$TMP/interpose.so" tests/real/interpose.c -ldl 2>/dev/null
}
# interposed MODE SECONDS ARGS...: as `limited`, with it in between; "submitted completed bytes" go to $TMP/count
interposed() {
	interpose_mode=$1
	shift
	rm -f "$TMP/count"
	export INTERPOSE="$interpose_mode" INTERPOSE_OUT="$TMP/count" LD_PRELOAD="$TMP/interpose.so"
	limited "$@"
	unset LD_PRELOAD INTERPOSE INTERPOSE_OUT
}
