#!/bin/sh
# A volume that outlives the run: it goes on where it ended, knows its disks wherever they are plugged, and refuses what would lose it.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

limited() {
	rm -f "$TMP/j"
	timeout -k 2 30 "$IODECK" "$@" --json "$TMP/j" >"$out" 2>"$err" </dev/null
	status=$?
}
cat >"$TMP/v.ini" <<-INI
	# Is it still there?
	[volume]
	redundancy = normal
	disks = 3
	au = 64k
	group = 2m
	power = 8
	verify = yes
	state = $TMP/volume.state
	[job a]
	rw = randrw
	rwmixread = 30
	bs = 8k
	iodepth = 16
	number_ios = 2000
	[step one]
	run = until done
INI
for i in 1 2 3 4 5; do truncate -s 3M "$TMP/d$i"; done
sums() { for i in 1 2 3 4 5; do cksum <"$TMP/d$i"; done; cksum <"$TMP/volume.state"; }
# with LIST [ARGS...]: the volume on these disks
with() {
	list=$1
	shift
	# shellcheck disable=SC2046
	limited run "$TMP/v.ini" "$@" $(for i in $list; do echo --target "$TMP/d$i"; done)
}
# refused NAME STATUS TEXT LIST [ARGS...]: and nothing is touched
refused() {
	name=$1 code=$2 text=$3
	shift 3
	sums >"$TMP/before"
	with "$@"
	expect "$name" "$code" "$text"
	sums >"$TMP/after"
	check "$name: nothing is touched" cmp -s "$TMP/before" "$TMP/after"
}

with '1 2 3 4'
expect 'a volume writes, so it must be allowed' 3 'a volume writes to its disks'
check 'no state file is left' test ! -e "$TMP/volume.state"
with '1 2' --write
expect 'too few disks' 2 'the volume has 3 disks, but there are 2 targets'
with '1 2 3 4' --write
expect 'it begins' 0
check 'a state file' test -s "$TMP/volume.state"
with '1 2 3 4' --write
expect 'it goes on' 0
check 'as its second session' holds "$TMP/j" ', session 2: 0 AU were being written'
check 'and what the first one wrote is right' holds "$TMP/j" 'all as acknowledged'
with '4 3 2 1' --write
expect 'the same disks at other places' 0
check 'each is known by its label' holds "$TMP/j" 'all as acknowledged'

# ---- killed ----
sed 's/number_ios.*//; s/until done/60s/' "$TMP/v.ini" >"$TMP/long.ini"
# shellcheck disable=SC2046
"$IODECK" run "$TMP/long.ini" --write $(for i in 1 2 3 4; do echo --target "$TMP/d$i"; done) >/dev/null 2>&1 &
pid=$!
n=0
while [ $n -lt 100 ] && ! { od -An -c "$TMP/volume.state" | tail -n 4 | grep -q . && [ "$(stat -c %s "$TMP/volume.state")" -gt 4000 ]; }; do
	n=$((n + 1))
	sleep 0.05
done
sleep 0.3
with '1 2 3 4' --write
expect 'not by two at a time' 3 'another process is using it'
kill -9 $pid
wait $pid 2>/dev/null
with '1 2 3 4' --write
expect 'after kill -9 it goes on' 0
check 'with the AU it was writing' grep -q 'session 5: [1-9][0-9]* AU were being written when it ended last, their copies were made equal' "$TMP/j"
check 'all that is there is right' holds "$TMP/j" 'all as acknowledged'

# ---- what would lose it ----
refused 'a disk is missing' 3 'disk d2 of the volume is missing: name it with --target, or go on without it' '1 3 4' --write
refused 'another file in the place of a disk' 3 "cannot use '$TMP/d5': it is no disk of the volume that the state file keeps" '1 2 3 5' --write
cp "$TMP/d1" "$TMP/copy"
sums >"$TMP/before"
limited run "$TMP/v.ini" --write --target "$TMP/d1" --target "$TMP/copy" --target "$TMP/d2" --target "$TMP/d3"
expect 'a copy of a disk beside it' 3 'both it and'
sed 's/state = .*//' "$TMP/v.ini" >"$TMP/without.ini"
limited run "$TMP/without.ini" --write --target "$TMP/d1" --target "$TMP/d2" --target "$TMP/d3"
expect 'without its state' 3 'iodeck_volume (disk d1 of volume '
moment randwrite >"$TMP/w.ini"
limited run "$TMP/w.ini" --write --target "$TMP/d2"
expect 'any other writing to a disk of it' 3 'iodeck_volume (disk d2 of volume '
limited run "$TMP/without.ini" --write --set volume.state="$TMP/other.state" --target "$TMP/d1" --target "$TMP/d2" --target "$TMP/d3"
expect 'a new volume on its disks' 3 'iodeck_volume'
check 'no other state file' test ! -e "$TMP/other.state"
sums >"$TMP/after"
check 'nothing was touched' cmp -s "$TMP/before" "$TMP/after"
for disk in 1 2 3; do
	truncate -s 2M "$TMP/e$disk"
done
cksum "$TMP"/e[123] >"$TMP/before"
limited run "$TMP/without.ini" --write --set volume.group=1g --target "$TMP/e1" --target "$TMP/e2" --target "$TMP/e3"
expect 'a volume that does not fit' 1 'do not fit on'
cksum "$TMP"/e[123] >"$TMP/after"
check 'it was not labelled either' cmp -s "$TMP/before" "$TMP/after"
limited run "$TMP/v.ini" --write --set volume.au=128k --target "$TMP/d1" --target "$TMP/d2" --target "$TMP/d3" --target "$TMP/d4"
expect 'another layout' 2 'au = 65536, not 131072'
moment randread >"$TMP/r.ini"
limited run "$TMP/r.ini" --target "$TMP/d2"
expect 'reading a disk of it is free' 0
cp "$TMP/volume.state" "$TMP/good.state"
printf 'X' | dd of="$TMP/volume.state" bs=1 seek=200 conv=notrunc status=none
refused 'a damaged state file' 3 'record 1 at byte 0 is damaged' '1 2 3 4' --write
cp "$TMP/good.state" "$TMP/volume.state"

# ---- a disk is lost ----
with '1 3 4' --write --write=missing-d2
expect 'going on without a disk, when that is said' 0
check 'it is named' holds "$TMP/j" 'disk d2 was lost: it was not there'
check 'what was on it is on its mirror' holds "$TMP/j" 'all as acknowledged'
with '1 3 4' --write
expect 'from then on it need not be said' 0
with '1 2 3 4' --write
expect 'when it is back its old copies are not believed' 0
check 'and nothing is wrong by them' holds "$TMP/j" 'all as acknowledged'
{ sed 's/run =.*/run = 1s/' "$TMP/long.ini"; printf 'fault = drop d2, add d4\nat = 100ms, 200ms\n'; } >"$TMP/mend.ini"
limited run "$TMP/mend.ini" --write --target "$TMP/d1" --target "$TMP/d2" --target "$TMP/d3" --target "$TMP/d4"
expect 'it is dropped and another one added' 0
check 'copies are restored' same "$(json "$TMP/j" steps.0.rebalance.state)" DONE
with '1 3 4' --write
expect 'then three disks are all of it' 0
check 'and all is right' holds "$TMP/j" 'all as acknowledged'
refused 'a new disk must be meant' 3 'to take it in as a new one in the place of one that was dropped: --write=new-disk' '1 3 4 5' --write
with '5 1 3 4' --write --write=new-disk
expect 'a new disk in the place of the dropped one' 0
{ sed 's/run =.*/run = 1s/' "$TMP/long.ini"; printf 'fault = add d2\nat = 100ms\n'; } >"$TMP/fill.ini"
limited run "$TMP/fill.ini" --write --target "$TMP/d5" --target "$TMP/d1" --target "$TMP/d3" --target "$TMP/d4"
expect 'it can be added' 0
check 'and is filled' test "$(json "$TMP/j" steps.0.rebalance.sofar_au)" -gt 5
check 'and all is right, also on it' holds "$TMP/j" 'all as acknowledged'
refused 'the one it replaced is no disk of the volume any more' 3 "'$TMP/d2': it was disk d2 of the volume once" '1 2 3 4' --write

# ---- no room for the state ----
mkdir "$TMP/small"
if ! mount -t tmpfs -o size=48k none "$TMP/small" 2>/dev/null; then
	skipped 'a full file system below the state file' 'no tmpfs can be mounted here'
else
	echo "$TMP/small" >>"$mounts"
	truncate -s 48M "$TMP/e1" "$TMP/e2"
	sed "s,$TMP/volume.state,$TMP/small/state,; s/disks = 3/disks = 2/; s/group = .*//" "$TMP/long.ini" >"$TMP/full.ini"
	limited run "$TMP/full.ini" --write --runtime 3s --target "$TMP/e1" --target "$TMP/e2"
	expect 'no room for the state: the run ends' 1 "the state file '$TMP/small/state' cannot be written: No space left on device"
	mount -o remount,size=10m "$TMP/small"
	limited run "$TMP/full.ini" --write --runtime 500ms --target "$TMP/e1" --target "$TMP/e2"
	expect 'and goes on when there is room' 0
	check 'with all that was acknowledged' holds "$TMP/j" 'all as acknowledged'
fi

why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'a device that goes away' "$why"
	finish
fi
a=$(loop la 3) b=$(loop lb 3) c=$(loop lc 3)
sed "s/run =.*/run = 3s/; s,volume.state,loops.state," "$TMP/long.ini" >"$TMP/gone.ini"
# Not verified: for a moment the loop device answers with zeros, which is wrong data and no error.
begun() { # begun FILE: it is there, and some time has passed since
	n=0
	until [ -e "$1" ] || [ $n -ge 100 ]; do
		n=$((n + 1))
		sleep 0.1
	done
	sleep 0.3
}
# A write that is under way makes the file as long as it was: once more then.
vanish() { # vanish FILE NODE
	n=0
	while [ $n -lt 100 ] && [ "$(cat "/sys/block/${2#/dev/}/size")" != 0 ]; do
		n=$((n + 1))
		: >"$1"
		losetup -c "$2"
	done
}
(begun "$TMP/loops.state" && vanish "$TMP/lb" "$b") &
limited run "$TMP/gone.ini" --set volume.verify=no --write --write="$a" --write="$b" --write="$c" --target "$a" --target "$b" --target "$c"
wait
expect 'a device goes away under load: the others go on' 0
check 'it is a lost disk of the volume' grep -q "disk d2 ($b) was lost: E" "$TMP/j"
check 'no user noticed' same "$(json "$TMP/j" steps.0.errors)" 0
limited run "$TMP/gone.ini" --write --target "$a" --target "$c"
expect 'a device is named also when its label is ours' 3 "a block device is written only when named: --write=$a"
limited run "$TMP/gone.ini" --write --write="$a" --write="$c" --target "$c" --target "$a"
expect 'and the volume goes on without the lost one' 0
finish
