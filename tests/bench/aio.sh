#!/bin/sh
# Real requests through libaio beside fio: T1, T3..T7, T11..T13, and files and loop devices. Called by run.sh, or alone (BUILD, PAIRS, SECONDS_EACH).
# Every comparison is of interleaved pairs, median [quartiles]. What cannot be measured here is named with its reason.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
PAIRS=${PAIRS:-7}
SECONDS_EACH=${SECONDS_EACH:-1}
cpu=$(($(nproc) - 1))
work=$(mktemp -d "${BENCH_DIR:-$BUILD}/bench.XXXXXX") || exit 1
loop='' zram=''
put_back() {
	[ -z "$loop" ] || losetup -d "$loop"
	[ -z "$zram" ] || { echo 1 >"/sys/block/$zram/reset" && echo "${zram#zram}" >/sys/class/zram-control/hot_remove; }
	rm -rf "$work"
}
trap put_back EXIT
trap 'exit 1' HUP INT TERM
pinned() { if command -v taskset >/dev/null 2>&1; then taskset -c $cpu "$@"; else "$@"; fi; }
quartiles() {
	sort -n | awk '{ x[NR] = $1 } END { printf "%.3f [%.3f, %.3f]", x[int((NR + 1) / 2)], x[int((NR + 3) / 4)], x[NR + 1 - int((NR + 3) / 4)] }'
}

# ---- what is run; each prints "CPU-ns-per-request IOPS" ----
batch="--iodepth_batch_submit=32 --iodepth_batch_complete_max=32 --userspace_reap=1 --norandommap=1"
ours() { pinned "$BUILD/tests/bench/bench_aio" "$SECONDS_EACH" "$1" "$2"; } # DEPTH TARGET
bare() { pinned "$BUILD/tests/bench/bench_bare" "$SECONDS_EACH" "$1" "$2"; }
fio_run() { # DEPTH TARGET OPTIONS...
	depth=$1 target=$2
	shift 2
	# shellcheck disable=SC2068
	pinned fio --name=a --thread=1 --filename="$target" --filesize=1g --size=1g --rw=randread --bs=4k --ioengine=libaio \
		--iodepth="$depth" --time_based --runtime="$SECONDS_EACH" $@ --output-format=json --output="$work/fio.json" >/dev/null || return 1
	value() { "$BUILD/tests/cli/jsoncheck" "$work/fio.json" "jobs.0.$1"; }
	awk -v u="$(value usr_cpu)" -v s="$(value sys_cpu)" -v ms="$(value job_runtime)" -v n="$(value read.total_ios)" \
		-v iops="$(value read.iops)" 'BEGIN { if (!n) exit 1; printf "%.2f %.0f\n", (u + s) / 100 * ms * 1e6 / n, iops }'
}
tuned() { fio_run "$1" "$2" --direct="$direct" $batch; }
reduced() { fio_run "$1" "$2" --direct="$direct" $batch --gtod_reduce=1; }
plain() { fio_run "$1" "$2" --direct="$direct"; }

# compare NAME LIMIT COLUMN PEER DEPTH TARGET: our figure over the peer's; COLUMN 1: CPU time, at most LIMIT; 2: IOPS, at least
compare() {
	: >"$work/pairs"
	for pair in $(seq "$PAIRS"); do
		a=$(ours "$5" "$6") && b=$("$4" "$5" "$6") || { echo "   $1: could not be run (pair $pair)"; return 1; }
		echo "$a $b" | awk -v c="$3" '{ print $c / $(4 + c), $c, $(4 + c) }' >>"$work/pairs"
	done
	middle=$(quartiles <"$work/pairs")
	verdict=$(echo "${middle%% *}" | awk -v limit="$2" -v c="$3" '{ print (c == 1 ? $1 <= limit : $1 >= limit) ? "holds" : "MISSED" }')
	printf '   %-44s %s  %s %s  %s  (%s: %s, peer %s)\n' "$1" "$middle" "$([ "$3" = 1 ] && echo '<=' || echo '>=')" "$2" "$verdict" \
		"$([ "$3" = 1 ] && echo 'ns CPU' || echo 'IOPS')" "$(awk '{ print $2 }' "$work/pairs" | sort -n | sed -n "$(((PAIRS + 1) / 2))p")" \
		"$(awk '{ print $3 }' "$work/pairs" | sort -n | sed -n "$(((PAIRS + 1) / 2))p")"
}

direct=0
echo "-- libaio: $PAIRS interleaved pairs of $SECONDS_EACH s, pinned to processor $cpu"
echo "iodeck: tests/bench/aio.ini: 1 job, 4k randread, four clocks of every request, 100 ms slices, 1 s intervals"
if command -v fio >/dev/null 2>&1; then
	echo "$(fio --version): --thread=1 --filesize=1g --size=1g --rw=randread --bs=4k --ioengine=libaio; tuned: $batch; reduced: and --gtod_reduce=1; default: neither"
else
	echo "   skipped: everything beside fio: it is not installed (make deps-bench)"
	exit 0
fi
if command -v valgrind >/dev/null 2>&1; then
	sed 's/run = 1h/run = until done/; s/^bs = .*/&\nnumber_ios = 1/' tests/bench/aio.ini >"$work/done.ini"
	count() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BUILD/iodeck" run "$work/done.ini" --target /dev/zero \
		--set "load.number_ios=$1" 2>&1 >/dev/null | awk '/Collected/ { print $4 }'; }
	few=$(count 20000) many=$(count 220000)
	per=$(((many - few) / 200000))
	echo "   T1 user instructions a request (callgrind)    $per  <= 200  $([ $per -le 200 ] && echo holds || echo MISSED)"
else
	echo "   T1 skipped: valgrind is not installed"
fi
compare 'T3 /dev/zero, depth 32, over fio tuned' 0.80 1 tuned 32 /dev/zero
compare 'T3 over fio gtod_reduce' 0.88 1 reduced 32 /dev/zero
compare 'T3 over fio default' 0.30 1 plain 32 /dev/zero
compare 'T4 over the bare loop (bench_bare)' 1.10 1 bare 32 /dev/zero
compare 'T5 depth 1 over fio tuned' 0.55 1 tuned 1 /dev/zero
echo "   T13 IOPS x mean latency / depth, /dev/zero    $(for i in 1 2 3; do ours 32 /dev/zero | awk '{ print $3 }'; done | quartiles)  0.90..1.00"
echo "   T11 resident set at depth 32, KiB             $(ours 32 /dev/zero | awk '{ print $4 }')  <= 8192 (without the deck)"
# Seen from outside: a run of one request, with everything behind it.
first() {
	begin=$(date +%s%N)
	"$BUILD/iodeck" run "$work/first.ini" --target /dev/zero >/dev/null 2>&1
	echo $((($(date +%s%N) - begin) / 1000000))
}
sed 's/run = 1h/run = until done/; s/^bs = .*/&\nnumber_ios = 1/' tests/bench/aio.ini >"$work/first.ini"
echo "   T12 one request, exec to exit, ms             $(for i in 1 2 3 4 5 6 7; do first; done | quartiles)  <= 50 to the first request (io_destroy, after the report, is in it)"
echo "   T7 skipped: --workers is not built"

# ---- zram: 1.6 us of kernel work ----
if [ "$(id -u)" = 0 ] && [ -r /sys/class/zram-control/hot_add ]; then
	zram=zram$(cat /sys/class/zram-control/hot_add)
	echo 1G >"/sys/block/$zram/disksize"
	dd if=/dev/urandom of="/dev/$zram" bs=1M count=1024 oflag=direct status=none
	direct=1
	compare "T5 /dev/$zram, depth 1, over fio tuned" 0.75 1 tuned 1 "/dev/$zram"
	compare 'T6 depth 32 over fio tuned' 1.00 1 tuned 32 "/dev/$zram"
	compare 'T6 over fio default' 0.50 1 plain 32 "/dev/$zram"
else
	echo "   T5 on zram, T6 skipped: need root and zram"
fi

# ---- a file and a loop device over it: IOPS ----
direct=1
dd if=/dev/urandom of="$work/file" bs=1M count=1024 status=none
sync
[ "$(id -u)" = 0 ] && loop=$(losetup -f --show --direct-io=on "$work/file" 2>/dev/null)
for target in "$work/file" $loop; do
	[ "$target" = "$loop" ] && name='loop device' || name='1 GiB file'
	for depth in 1 8 32; do
		compare "$name, depth $depth, IOPS over fio tuned" 0.95 2 tuned $depth "$target"
	done
done
[ -n "$loop" ] || echo "   loop device skipped: needs root and losetup"
exit 0
