#!/bin/sh
# shellcheck disable=SC2086,SC2034 # $batch is several words; counters of loops
# Requests to devices that do something, with fio beside them: T5 and T6 on zram, T13 where requests take long, a file and a loop device over it.
# Called by run.sh, or alone. Only devices made here are touched, and they are taken down again.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/bench/lib_bench.sh
. tests/bench/lib_bench.sh

loop='' zram=''
put_back() {
	[ -z "$loop" ] || losetup -d "$loop"
	[ -z "$zram" ] || { echo 1 >"/sys/block/$zram/reset" && echo "${zram#zram}" >/sys/class/zram-control/hot_remove; }
	rm -rf "$work"
}
trap put_back EXIT
if ! command -v fio >/dev/null 2>&1; then
	skip 'T6, files and devices beside fio' 'it is not installed (make deps-bench)'
	exit 0
fi
direct=1

# ---- zram, filled so that the kernel has less and more to do than the 1.6 us that the targets are made for; the bare loop shows what is possible ----
echo "-- zram, 1 GiB, direct: $PAIRS interleaved pairs of $SECONDS_EACH s, pinned to processor $cpu"
possible() { # DEPTH PEER: of the bare loop, for the row above
	compare "   possible here: the bare loop over the same" - - 1 "bare $1 $dev" "$2 $1 $dev"
}
on_zram() { # CONTENT
	echo "   $1:"
	compare "T5 depth 1 over fio tuned" '<=' 0.75 1 "ours 1 $dev" "tuned 1 $dev"
	possible 1 tuned
	compare 'T6 depth 32 over fio tuned' '<=' 1.00 1 "ours 32 $dev" "tuned 32 $dev"
	possible 32 tuned
	compare 'T6 depth 32 over fio default' '<=' 0.50 1 "ours 32 $dev" "plain 32 $dev"
	possible 32 plain
}
if [ "$(id -u)" = 0 ] && [ -r /sys/class/zram-control/hot_add ]; then
	zram=zram$(cat /sys/class/zram-control/hot_add)
	dev=/dev/$zram
	echo 1G >"/sys/block/$zram/disksize"
	dd if=/dev/zero of="$dev" bs=1M count=1024 oflag=direct status=none
	on_zram 'pages of one value (the kernel fills them)'
	dd if=/dev/urandom of="$dev" bs=1M count=1024 oflag=direct status=none
	on_zram 'random data (the kernel copies each page from memory)'
else
	skip 'T5 on zram, T6' "need root and zram ($([ "$(id -u)" = 0 ] && echo 'no /sys/class/zram-control: modprobe zram' || echo 'not root'))"
fi

# ---- a file and a loop device over it: IOPS ----
echo "-- a file of 1 GiB and a loop device over it, direct"
dd if=/dev/urandom of="$work/file" bs=1M count=1024 status=none
sync
[ "$(id -u)" = 0 ] && loop=$(losetup -f --show --direct-io=on "$work/file" 2>/dev/null)
for target in "$work/file" $loop; do
	[ "$target" = "$loop" ] && name='loop device' || name='1 GiB file'
	for depth in 1 8 32; do
		compare "$name, depth $depth, IOPS over fio tuned" '>=' 0.95 2 "ours $depth $target" "tuned $depth $target"
	done
done
[ -n "$loop" ] || skip 'loop device' "$([ "$(id -u)" = 0 ] && echo 'losetup could not make one' || echo 'needs root')"
for i in 1 2 3 4 5; do ours 32 "${loop:-$work/file}"; done >"$work/thirteen"
latency=$(awk '{ print 32e6 * $3 / $2 }' "$work/thirteen" | middle)
if [ "${latency%.*}" -ge 50 ]; then
	row 'T13 IOPS x mean latency / depth, slow device' "$(awk '{ print $3 }' "$work/thirteen" | quartiles)" in 0.97..1.00 "$name, mean latency $latency us"
else
	skip 'T13 where requests take 50 us or more' "$name at depth 32 takes $latency us"
fi
