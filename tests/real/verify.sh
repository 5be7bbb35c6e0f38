#!/bin/sh
# Verified data on files: what is right passes, what is not is named, whoever broke it.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

value() { json "$TMP/j" "$1"; }
limited() {
	rm -f "$TMP/j"
	timeout -k 2 30 "$IODECK" "$@" --json "$TMP/j" >"$out" 2>"$err" </dev/null
	status=$?
}
# mixed VOLUME-LINES...: reads and writes for a moment, then the final check
mixed() {
	cat <<-INI
	# Is what was written there?
	[volume]
	verify = yes
	$*
	[job a]
	rw = randrw
	bs = 4k
	iodepth = 16
	number_ios = 3000
	[step one]
	run = until done
	INI
}
for i in 1 2 3 4; do truncate -s 4M "$TMP/d$i"; done

mixed >"$TMP/plain.ini"
limited run "$TMP/plain.ini" --write=iodeck_volume --target "$TMP/d1"
expect 'a target' 0
check 'all as acknowledged' holds "$TMP/j" 's: all as acknowledged'
limited run "$TMP/plain.ini" --write=iodeck_volume --target "$TMP/d1"
expect 'blocks of another run are not ours' 0
sed 's/bs = 4k/bs = 512/' "$TMP/plain.ini" >"$TMP/small.ini"
limited run "$TMP/small.ini" --write=iodeck_volume --target "$TMP/d1"
expect 'blocks of 512 bytes' 0
limited run "$TMP/plain.ini" --write=iodeck_volume --target "$TMP/d1" --set a.rw=randread
expect 'nothing written, nothing wrong' 0

mixed 'disks = 3' 'redundancy = normal' 'au = 64k' | sed 's/number_ios.*/rwmixread = 50/; s/run =.*/run = 1s/' | tr -s '\n' >"$TMP/volume.ini"
sed -i 's/disks = 3 redundancy = normal au = 64k/disks = 3\nredundancy = normal\nau = 64k\npower = 8\nauto_rebalance = yes/' "$TMP/volume.ini"
{ cat "$TMP/volume.ini"; printf 'fault = disk d2 fail, add d4\nat = 200ms, 400ms\n'; } >"$TMP/busy.ini"
limited run "$TMP/busy.ini" --write=iodeck_volume --target "$TMP/d1" --target "$TMP/d2" --target "$TMP/d3" --target "$TMP/d4"
expect 'a mirrored volume that loses a disk and gains one' 0
check 'its copies were moved' test "$(value steps.0.rebalance.sofar_au)" -gt 10
check 'and are as acknowledged' holds "$TMP/j" 'all as acknowledged'
{ cat "$TMP/volume.ini"; printf 'fault = path p0 down, path p0 up, path p1 down\nat = 200ms, 400ms, 500ms\n[host]\npaths = 2\npath = round-robin:8\n'; } >"$TMP/paths.ini"
limited run "$TMP/paths.ini" --write=iodeck_volume --target "$TMP/d1" --target "$TMP/d2" --target "$TMP/d3" --target "$TMP/d4"
expect 'paths that die under it' 0
check 'requests were decided anew' test "$(value steps.0.redecided)" -gt 0
check 'and nothing was lost with them' holds "$TMP/j" 'all as acknowledged'

# ---- somebody else writes to it ----
spoil() { # spoil FILE OFFSET: a block of rubbish
	dd if=/dev/urandom of="$1" bs=4096 seek=$(($2 / 4096)) count=1 conv=notrunc status=none
}
sed 's/number_ios.*/rwmixread = 0/; s/run =.*/run = 1500ms/' "$TMP/plain.ini" >"$TMP/long.ini"
sed 's/rw = randrw/rw = write/; s/number_ios.*/number_ios = 1024/; s/run =.*/run = until done/' "$TMP/plain.ini" >"$TMP/once.ini"
{ cat "$TMP/once.ini"; printf '[step two]\nrun = 1500ms\nset = a.jobs=0\n'; } >"$TMP/spoilt.ini"
(sleep 0.9 && spoil "$TMP/d1" 81920) &
limited run "$TMP/spoilt.ini" --write=iodeck_volume --target "$TMP/d1"
wait
expect 'a block is overwritten by somebody' 4
check 'target, place, what was expected and what is there' holds "$TMP/j" \
	"verify: '$TMP/d1' at 81920: expected block 81920, generation 1.1; found nothing of ours"
check 'it is an error' same "$(value steps.1.errors_by.EBADMSG)" 1
(sleep 0.9 && dd if="$TMP/d1" of="$TMP/d1" bs=4096 skip=3 seek=5 count=1 conv=notrunc status=none) &
limited run "$TMP/spoilt.ini" --write=iodeck_volume --target "$TMP/d1"
wait
expect 'a block lands elsewhere' 4
check 'and tells where it belongs' holds "$TMP/j" "'$TMP/d1' at 20480: expected block 20480, generation 1.1; found block 12288, generation 1.1"
sed 's/\[volume\]/[volume]\ndisks = 2\nredundancy = normal\nau = 64k/' "$TMP/spoilt.ini" >"$TMP/mirror.ini"
(sleep 0.9 && spoil "$TMP/d2" 131072) &
limited run "$TMP/mirror.ini" --write=iodeck_volume --target "$TMP/d1" --target "$TMP/d2"
wait
expect 'one copy of a mirror is overwritten' 4
check 'the copy is named' holds "$TMP/j" "'$TMP/d2' at 131072: expected block"
check 'the other one is right' same "$(value steps.1.errors)" 1

# ---- where it cannot be ----
limited run quickstart --set volume.verify=yes
expect 'no data in a model' 2 'keeps no data that could be verified'
limited run "$TMP/plain.ini" --write=iodeck_volume --target /dev/null
expect 'no data in /dev/null' 2 'nothing can be verified'
finish
