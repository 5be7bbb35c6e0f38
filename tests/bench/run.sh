#!/bin/sh
# shellcheck disable=SC2317 # what compare calls
# Measures iodeck itself and prints each target (T...) with what was found and, where there is one, a peer beside it.
# Figures are CPU time per request or ratios of interleaved runs: they hold on a machine that does other things as well.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/bench/lib_bench.sh
. tests/bench/lib_bench.sh
code=0
export BUILD PAIRS SECONDS_EACH

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
	awk -v u="$(value usr_cpu)" -v s="$(value sys_cpu)" -v ms="$(value job_runtime)" -v n="$(value read.total_ios)" \
		'BEGIN { if (!n) exit 1; printf "%.2f\n", (u + s) / 100 * ms * 1e6 / n }'
}
ours_null() { pinned "$BUILD/tests/bench/bench_null" "$SECONDS_EACH"; }
if command -v fio >/dev/null 2>&1; then
	compare "T2 null over $(fio --version)" '<=' 0.33 1 ours_null fio_ns || code=1
else
	skip 'T2 null beside fio' 'it is not installed (make deps-bench)'
	echo "   iodeck: $(ours_null) ns a request"
fi
echo
sh tests/bench/aio.sh || code=1
echo
sh tests/bench/devices.sh || code=1
exit $code
