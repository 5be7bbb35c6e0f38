#!/bin/sh
# `make fuzz`: every target for SECONDS each, two at a time, from a corpus made of the fixtures. Exit 1 when one found something; what it found stays in
# BUILD/fuzz/found. Usage: lib_fuzz.sh [SECONDS]
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
seconds=${1:-60}
out=$BUILD/fuzz
rm -rf "$out/corpus" "$out/found"
mkdir -p "$out/found" || exit 2

seed() { # seed TARGET FILE...
	folder=$out/corpus/$1
	shift
	mkdir -p "$folder"
	for file in "$@"; do cp "$file" "$folder/$(echo "$file" | tr '/' '_')"; done
}
lines() { # lines TARGET: each line of stdin is a seed
	mkdir -p "$out/corpus/$1"
	n=0
	while IFS= read -r line; do
		n=$((n + 1))
		printf '%s\n' "$line" >"$out/corpus/$1/line$n"
	done
}
dasd=tests/fixtures/dasd
seed dasd_proc $dasd/proc_statistics.*
seed dasd_debugfs $dasd/debugfs_statistics.*
seed dasd_devices $dasd/proc_devices.* $dasd/sysroot/sys/devices/css0/*/*/uid
seed mdstat tests/fixtures/md/mdstat_*
sed -n 's/^.* = //p' tests/fixtures/vm/s0_scsi_sysfs.txt | sort -u | head -n 80 | lines system
printf 'some avg10=2.01 avg60=0.50 avg300=0.12 total=1\nfull avg10=1.00 avg60=0.25 avg300=0.06 total=2\n' >"$out/corpus/system/pressure"
printf 'cpu  100 5 50 800 40 1 4 0 0 0\n' >"$out/corpus/system/cpu"
grep -hE '^ +[0-9]+ +[0-9]+ [a-z]' tests/fixtures/vm/*.txt | lines diskstats
sed -n 's/.*hidden=[01]//p' tests/fixtures/vm/s8_out.txt >"$out/corpus/diskstats/stat"
sed -n 's/^[^"]*"\(0 [0-9]* [a-z].*\)".*/\1/p; s/^[^"]*"\([0-9]*+[0-9].*\)".*/\1/p' tests/probes/test_dm.c | lines dm

mkdir -p "$out/corpus/uevent" "$out/corpus/undo"
event='change@/devices/virtual/block/dm-0\0ACTION=change\0DEVPATH=/devices/virtual/block/dm-0\0SUBSYSTEM=block\0'
# The backslashes are printf's.
# shellcheck disable=SC2059
printf "${event}DM_ACTION=PATH_FAILED\0DM_PATH=8:0\0DM_NR_VALID_PATHS=1\0DM_NAME=mp0\0DEVNAME=dm-0\0DEVTYPE=disk\0SEQNUM=758\0" >"$out/corpus/uevent/path"
printf 'add@/module/x\0ACTION=add\0DEVPATH=/module/x\0SUBSYSTEM=module\0SEQNUM=754\0' >"$out/corpus/uevent/module"
printf '/sys/block/sda/device/queue_depth\t1\n%%32 0 131072 multipath' >"$out/corpus/undo/texts"

one() {
	"$out/$1" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 -artifact_prefix="$out/found/$1-" \
		"$out/corpus/$1" >"$out/$1.log" 2>&1
	code=$?
	echo "$1: $(sed -n 's/stat::number_of_executed_units: */runs /p' "$out/$1.log") in $seconds s, exit $code"
	[ "$code" -eq 0 ] || touch "$out/found/$1"
}
running=0
for target in diskstats dasd_proc dasd_debugfs dasd_devices mdstat system dm uevent undo; do
	one $target &
	running=$((running + 1))
	[ $((running % 2)) -eq 1 ] || wait
done
wait
found=$(ls "$out/found")
[ -z "$found" ] || { echo "found: $found" >&2; exit 1; }
