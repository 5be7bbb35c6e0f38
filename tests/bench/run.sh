#!/bin/sh
# Measures iodeck itself and prints each target (T...) with what was found and, where there is one, a peer beside it.
# Figures are CPU time per request or ratios of interleaved runs: they hold on a machine that does other things as well.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
PAIRS=${PAIRS:-9}
SECONDS_EACH=${SECONDS_EACH:-2}
cpu=$(($(nproc) - 1))
code=0

pinned() {
	if command -v taskset >/dev/null 2>&1; then taskset -c $cpu "$@"; else "$@"; fi
}

# Median and quartiles of the numbers on stdin.
quartiles() {
	sort -n | awk '{ x[NR] = $1 } END { printf "%.3f [%.3f, %.3f]", x[int((NR + 1) / 2)], x[int((NR + 3) / 4)], x[NR + 1 - int((NR + 3) / 4)] }'
}

echo "iodeck $("$BUILD/iodeck" --version | cut -d' ' -f2) on $(uname -sm), $(nproc) processors, pinned to $cpu; median [quartiles]"
echo
echo "-- T9: the histogram (record <= 2 ns with n, sum, min, max; <= 32 KiB; snapshot and 5 percentiles <= 10 us)"
pinned "$BUILD/tests/bench/bench_hist" || code=1
echo
echo "-- T10: the array model, CPU time, every event and histogram on"
pinned "$BUILD/tests/bench/bench_sim" || code=1
for other in "$BUILD"/tests/bench/bench_*; do
	case $other in *.o | *.d | */bench_hist | */bench_sim | */bench_null | */bench_aio | */bench_bare) continue ;; esac
	echo
	echo "-- ${other##*/}"
	"$other" || code=1 # some have two threads: not pinned
done

echo
echo "-- T2: the null backend through the whole host stack, latency of every request on, beside fio's (<= 0.33)"
fio_settings="--name=a --thread=1 --ioengine=null --size=1g --rw=randread --bs=4k --iodepth=32
--iodepth_batch_submit=32 --iodepth_batch_complete_max=32 --norandommap=1 --time_based --runtime=$SECONDS_EACH"
echo "iodeck: tests/bench/null.ini: 1 job, iodepth 32, qd 32, 4k randread, histograms of four clocks"
echo "fio:    $(echo "$fio_settings" | tr '\n' ' ')"
# CPU time of the job's thread per request, in ns.
fio_ns() {
	# shellcheck disable=SC2086
	pinned fio $fio_settings --output-format=json --output="$work/fio.json" >/dev/null || return 1
	value() { "$BUILD/tests/cli/jsoncheck" "$work/fio.json" "jobs.0.$1"; }
	awk -v u="$(value usr_cpu)" -v s="$(value sys_cpu)" -v ms="$(value job_runtime)" -v n="$(value read.total_ios)" \
		'BEGIN { if (!n) exit 1; printf "%.2f\n", (u + s) / 100 * ms * 1e6 / n }'
}
if command -v fio >/dev/null 2>&1; then
	work=$(mktemp -d) || exit 1
	trap 'rm -rf "$work"' EXIT
	pair=0
	while [ $pair -lt "$PAIRS" ]; do
		pair=$((pair + 1))
		ours=$(pinned "$BUILD/tests/bench/bench_null" "$SECONDS_EACH") || exit 1
		theirs=$(fio_ns) || exit 1
		echo "$ours $theirs" >>"$work/pairs"
	done
	echo "iodeck  ns per request: $(awk '{ print $1 }' "$work/pairs" | quartiles)"
	echo "$(fio --version) ns per request: $(awk '{ print $2 }' "$work/pairs" | quartiles)"
	echo "ratio over $PAIRS interleaved pairs: $(awk '{ print $1 / $2 }' "$work/pairs" | quartiles)"
else
	echo "skipped: fio is not installed (make deps-bench)"
	echo "iodeck  ns per request: $(pinned "$BUILD/tests/bench/bench_null" "$SECONDS_EACH")"
fi
echo
BUILD="$BUILD" PAIRS="$PAIRS" sh tests/bench/aio.sh || code=1
exit $code
