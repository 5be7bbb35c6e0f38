#!/bin/sh
# shellcheck disable=SC2086,SC2034 # $batch is several words; counters of loops
# Requests through libaio to /dev/zero, where all the time is iodeck's and the kernel's, with fio beside them: T1, T3, T4, T5, T7, T11, T12, T13.
# Called by run.sh, or alone. What cannot be measured here is named with its reason.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/bench/lib_bench.sh
. tests/bench/lib_bench.sh

has_fio=$(command -v fio || true)
sed 's/run = 1h/run = until done/; s/^bs = .*/&\nnumber_ios = 1/' tests/bench/aio.ini >"$work/done.ini"

echo "-- libaio on /dev/zero: $PAIRS interleaved pairs of $SECONDS_EACH s, pinned to processor $cpu"
echo "iodeck: tests/bench/aio.ini: 1 job, 4k randread, four clocks of every request, 100 ms slices, 1 s intervals"
[ -z "$has_fio" ] || echo "$(fio --version): --thread=1 --filesize=1g --size=1g --rw=randread --bs=4k --ioengine=libaio; tuned: $batch; reduced: and --gtod_reduce=1; default: neither"

# ---- T1: the difference of two lengths is the cost of a request ----
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BUILD/iodeck" run "$work/done.ini" --target /dev/zero \
		--set "load.number_ios=$1" 2>&1 >/dev/null | awk '/Collected/ { print $4 }'
}
if command -v valgrind >/dev/null 2>&1; then
	few=$(instructions 20000) many=$(instructions 220000)
	row 'T1 user instructions a request, depth 32' "$(((many - few) / 200000))" '<=' 200 'callgrind, 220000 less 20000 requests'
else
	skip 'T1 user instructions a request' 'valgrind is not installed'
fi

# ---- T3, T4, T5 ----
if [ -n "$has_fio" ]; then
	compare 'T3 depth 32 over fio tuned' '<=' 0.80 1 'ours 32 /dev/zero' 'tuned 32 /dev/zero'
	compare 'T3 depth 32 over fio gtod_reduce' '<=' 0.88 1 'ours 32 /dev/zero' 'reduced 32 /dev/zero'
	compare 'T3 depth 32 over fio default' '<=' 0.30 1 'ours 32 /dev/zero' 'plain 32 /dev/zero'
	compare 'T5 depth 1 over fio tuned' '<=' 0.55 1 'ours 1 /dev/zero' 'tuned 1 /dev/zero'
else
	skip 'T3, T5 beside fio' 'it is not installed (make deps-bench)'
fi
compare 'T4 depth 32 over the bare loop (bench_bare)' '<=' 1.10 1 'ours 32 /dev/zero' 'bare 32 /dev/zero'

# ---- T7: two workers, each with a target, a processor and half of the depth, against one with both ----
two() { on_cpus "0-$cpu" "$BUILD/tests/bench/bench_aio" "$SECONDS_EACH" 64x2 /dev/zero /dev/zero; }
one() { on_cpus "$1" "$BUILD/tests/bench/bench_aio" "$SECONDS_EACH" 64x1 /dev/zero /dev/zero; }
both_on_one() { pinned "$BUILD/tests/bench/bench_aio" "$SECONDS_EACH" 64x2 /dev/zero /dev/zero; }
fio_jobs() { fio_run "$1" "$2" /dev/zero --direct=0 $batch "--numjobs=$3" --group_reporting; }
if [ "$cpu" -ge 1 ]; then
	compare 'T7 two workers over one' '<=' 1.03 1 two "one $cpu"
	compare 'T7 the same, both on one processor' '<=' 1.03 1 both_on_one "one $cpu"
	[ -z "$has_fio" ] || compare '   peer: fio tuned, two threads over one' - - 1 "fio_jobs 0-$cpu 32 2" "fio_jobs $cpu 64 1"
else
	skip 'T7 two workers over one' 'there is one processor'
fi

# ---- T11: resident memory ----
row 'T11 resident KiB, one job, depth 32, no deck' "$(ours 32 /dev/zero | awk '{ print $4 }')" '<=' 8192
jobs() { # DEPTH: a preset of 16 jobs
	echo '# How much memory do sixteen jobs take?'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do printf '[job j%s]\nrw = randread\nbs = 4k\niodepth = %s\n' "$i" "$1"; done
	printf '[step load]\nrun = 1h\n'
}
deck_memory() { # DEPTH: resident KiB of a deck of 200x50 after 3 s
	jobs "$1" >"$work/jobs.ini"
	server=iodeck-bench-$$
	tmux -L $server -f /dev/null new-session -d -x 200 -y 50 "exec $BUILD/iodeck $work/jobs.ini --target /dev/zero" 2>/dev/null || return
	sleep 3
	pid=$(tmux -L $server list-panes -F '#{pane_pid}')
	awk '/VmHWM/ { print $2 }' "/proc/$pid/status"
	tmux -L $server kill-server
}
fio_memory() { # DEPTH: of fio with 16 jobs as threads
	fio --name=a --thread=1 --numjobs=16 --filename=/dev/zero --filesize=1g --size=1g --rw=randread --bs=4k --ioengine=libaio --iodepth="$1" \
		--time_based --runtime=4 --output=/dev/null &
	sleep 3
	awk '/VmHWM/ { print $2 }' "/proc/$!/status"
	wait $!
}
if command -v tmux >/dev/null 2>&1; then
	for depth in 1 32; do
		peer=$([ -z "$has_fio" ] || fio_memory $depth)
		row "T11 resident KiB, deck and 16 jobs, depth $depth each" "$(deck_memory $depth)" '<=' 8192 \
			"${peer:+fio, 16 threads: $peer KiB; }$((depth * 16 * 4)) KiB of ours are buffers of requests"
	done
else
	skip 'T11 with the deck open' 'tmux is not installed'
fi

# ---- T12: the first request after exec ----
first() { # PROGRAM...: "ms CPU-ms" to the first io_submit
	rm -f "$work/first"
	began=$(date +%s%N)
	FIRST_OUT="$work/first" LD_PRELOAD="$work/first.so" "$@" >/dev/null 2>&1
	awk -v began="$began" '{ printf "%.2f %.2f\n", ($1 - began) / 1e6, $2 / 1e3 }' "$work/first"
}
fifteen() { for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do first "$@" || return; done >"$work/firsts"; }
if ${CC:-cc} -D_GNU_SOURCE -O2 -shared -fPIC -o "$work/first.so" tests/bench/first.c -ldl 2>/dev/null; then
	peer=''
	if [ -n "$has_fio" ]; then
		fifteen fio --name=a --thread=1 --filename=/dev/zero --filesize=1g --size=4k --rw=randread --bs=4k --ioengine=libaio --iodepth=32
		peer="fio: $(awk '{ print $1 }' "$work/firsts" | middle) ms, $(awk '{ print $2 }' "$work/firsts" | middle) ms CPU"
	fi
	fifteen "$BUILD/iodeck" run "$work/done.ini" --target /dev/zero
	row 'T12 ms from exec to the first request' "$(awk '{ print $1 }' "$work/firsts" | quartiles)" '<=' 50 "$peer"
	row 'T12 ms of CPU until then' "$(awk '{ print $2 }' "$work/firsts" | quartiles)" '<=' 10
else
	skip 'T12 first request' 'no shared object can be built'
fi

row 'T13 IOPS x mean latency / depth' "$(for i in 1 2 3; do ours 32 /dev/zero | awk '{ print $3 }'; done | quartiles)" in 0.90..1.00
