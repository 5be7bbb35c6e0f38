#!/bin/sh
# `iodeck probe` against iostat: first from the very same two readings of the counters, then beside it, and beside fio, in the same seconds.
. "$(dirname "$0")/lib_real.sh"

LC_ALL=C
export LC_ALL

# within A B PERCENT: A is B within so much (or both are next to nothing)
within() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; exit !(a != "" && b != "" && d <= m * p / 100 + 0.02) }'; }
# Column by its heading of the line of a device: of iostat's table and of our CSV.
of_iostat() { awk -v d="$2" -v h="$3" '$1 == "Device" { for (i = 1; i <= NF; i++) if ($i == h) k = i } $1 == d { v = $k } END { print v }' "$1"; }
of_csv() { awk -F, -v d="$2" -v h="$3" 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); if ($i == h) k = i } } $3 == d && $k != "" && $10 > 0 { v = $k } END { print v }' "$1"; }
figures='r/s rkB/s r_await rareq-sz aqu-sz'

why=$(no_loops)
for tool in iostat fio strace; do command -v $tool >/dev/null 2>&1 || why="no $tool"; done
[ -n "$why" ] || strace -o "$TMP/t" true 2>/dev/null || why='strace cannot trace here'
if [ -n "$why" ]; then
	skipped 'the figures of iostat' "$why"
	finish
fi
device=$(loop load.img 16)
name=${device#/dev/}
load() { # load SECONDS: the same number of reads every second
	fio --name=load --filename="$device" --readonly --rw=randread --bs=4k --ioengine=libaio --iodepth=8 --rate_iops=2000 --direct=1 --time_based \
		--runtime="$1" --output-format=terse --terse-version=3 --output="$TMP/fio" >/dev/null 2>&1
}
# wait_for COMMAND...: until it succeeds, at most 20 s
wait_for() {
	for _ in $(seq 400); do
		"$@" 2>/dev/null && return
		sleep .05
	done
	return 1
}

# ---- the same two readings ----
# What iostat read is taken from its system calls and laid before iodeck as /sys/block/X/stat of another root; the file is changed under it.
# reading N TRACE: the N-th text of the device, the time it was opened at before it
reading() {
	awk -v want="$1" -v file="\"/sys/block/$name/stat\"" 'index($0, file) { n++; on = n == want; at = $1; next } on && /read\(/ && match($0, /"/) {
		s = substr($0, RSTART + 1); sub(/"(\.\.\.)?, [0-9]+\) = [0-9]+$/, "", s); sub(/\\n$/, "", s); print at, s; exit }' "$2"
}
same_readings() {
	load 3 &
	loader=$!
	wait_for awk -v d="$name" '$3 == d && $12 > 0 { f = 1 } END { exit !f }' /proc/diskstats
	strace -ttt -s 512 -e trace=openat,read -o "$TMP/trace" iostat -dxy 1 1 >"$TMP/iostat" 2>&1
	wait $loader
	root=$TMP/root
	rm -rf "$root" && mkdir -p "$root/sys/block/$name"
	reading 1 "$TMP/trace" >"$TMP/first" && reading 2 "$TMP/trace" >"$TMP/second"
	[ -s "$TMP/first" ] && [ -s "$TMP/second" ] || { echo "no readings in the trace"; return 1; }
	itv=$(awk 'NR == FNR { a = $1; next } { printf "%.4f", $1 - a }' "$TMP/first" "$TMP/second")
	echo 32768 >"$root/sys/block/$name/size"
	cut -d' ' -f2- "$TMP/first" >"$root/sys/block/$name/stat"
	cut -d' ' -f2- "$TMP/second" >"$TMP/next"
	"$IODECK" probe --sysroot "$root" --interval 100ms --count 60 --csv - >"$TMP/csv" 2>/dev/null &
	prober=$!
	wait_for grep -q '^[0-9]' "$TMP/csv"
	mv "$TMP/next" "$root/sys/block/$name/stat"
	wait_for awk -F, -v d="$name" '$3 == d && $10 > 0 { f = 1 } END { exit !f }' "$TMP/csv"
	kill -INT $prober
	wait $prober
	# rates are by the second: what happened is the same, the seconds are not
	ours=$(of_csv "$TMP/csv" "$name" interval_s) || return 1
	for f in $figures; do
		a=$(of_csv "$TMP/csv" "$name" "$f") b=$(of_iostat "$TMP/iostat" "$name" "$f")
		case $f in */s | aqu-sz) a=$(awk -v a="$a" -v o="$ours" -v i="$itv" 'BEGIN { print a * o / i }') ;; esac
		within "$a" "$b" 2 || { echo "$f: iodeck $a, iostat $b (iostat's interval $itv s)"; return 1; }
	done
}
check 'the same two readings give the figures of iostat' same_readings

# ---- in the same seconds ----
# Other programs share the machine: the two begin some milliseconds apart, so a try that a hiccup fell into is done again.
beside() {
	for try in 1 2 3 4 5 6 7 8; do
		load 4 &
		loader=$!
		wait_for awk -v d="$name" '$3 == d && $12 > 0 { f = 1 } END { exit !f }' /proc/diskstats
		iostat -dxy 2 1 >"$TMP/iostat" &
		other=$!
		"$IODECK" probe --interval 2s --count 1 --csv - >"$TMP/csv" 2>/dev/null
		wait $other $loader
		told='' bad=''
		for f in $figures; do
			a=$(of_csv "$TMP/csv" "$name" "$f") b=$(of_iostat "$TMP/iostat" "$name" "$f")
			told="$told $f $a/$b"
			within "$a" "$b" 5 || bad=$f
		done
		# fio: 8 reads/s over the whole run, 7 KB/s; 40 mean total latency in us
		fio_iops=$(cut -d';' -f8 "$TMP/fio") fio_kb=$(cut -d';' -f7 "$TMP/fio")
		told="$told fio $fio_iops IOPS $fio_kb KB/s"
		within "$(of_csv "$TMP/csv" "$name" r/s)" "$fio_iops" 5 || bad="r/s of fio"
		within "$(of_csv "$TMP/csv" "$name" rkB/s)" "$fio_kb" 5 || bad="rkB/s of fio"
		echo "# try $try:$told" >&3
		[ -n "$bad" ] || return 0
	done
	echo "never within 5 %: last $bad: $told"
	return 1
}
exec 3>&1
check 'in the same seconds as iostat and fio, within 5 %' beside
finish
