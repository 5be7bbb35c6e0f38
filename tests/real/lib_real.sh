# shellcheck shell=sh
# Sourced by the scripts beside it: loop devices and files of our own, taken down again whatever happens.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

loops=$TMP/loops mounts=$TMP/mounts
: >"$loops" && : >"$mounts"

put_back() {
	while read -r m; do umount "$m" 2>/dev/null || umount -l "$m" 2>/dev/null; done <"$mounts"
	while read -r l; do swapoff "$l" 2>/dev/null; losetup -d "$l" 2>/dev/null; done <"$loops"
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
