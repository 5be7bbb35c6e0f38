# shellcheck shell=sh
# shellcheck disable=SC2086,SC2034,SC2015
# Sourced by the scripts beside it: pinning, medians with quartiles, verdicts, interleaved pairs. BUILD, PAIRS and SECONDS_EACH may be set.
BUILD=${BUILD:-build}
PAIRS=${PAIRS:-9}
SECONDS_EACH=${SECONDS_EACH:-1}
cpu=$(($(nproc) - 1))
work=$(mktemp -d "${BENCH_DIR:-$BUILD}/bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

on_cpus() { # LIST COMMAND...
	cpus=$1
	shift
	if command -v taskset >/dev/null 2>&1; then taskset -c "$cpus" "$@"; else "$@"; fi
}
pinned() { on_cpus "$cpu" "$@"; }

# Of the numbers on stdin.
quartiles() {
	sort -n | awk '{ x[NR] = $1 } END { printf "%.3f [%.3f, %.3f]", x[int((NR + 1) / 2)], x[int((NR + 3) / 4)], x[NR + 1 - int((NR + 3) / 4)] }'
}
middle() { sort -n | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# row NAME FIGURE COMPARISON LIMIT [BEHIND]: FIGURE begins with the number that is judged; COMPARISON <= or >=, in for LOW..HIGH, - for no target
row() {
	if [ "$3" = - ]; then
		printf '   %-50s %s  %s\n' "$1" "$2" "${5:+($5)}"
		return
	fi
	verdict=$(echo "${2%% *}" | awk -v how="$3" -v limit="$4" '{
		split(limit, at, /\.\./)
		good = how == "<=" ? $1 <= limit + 0 : how == ">=" ? $1 >= limit + 0 : $1 >= at[1] + 0 && $1 <= at[2] + 0
		print good ? "held" : "MISSED" }')
	printf '   %-50s %s  %s %s  %s%s\n' "$1" "$2" "$3" "$4" "$verdict" "${5:+  ($5)}"
}
skip() { printf '   %-50s skipped: %s\n' "$1" "$2"; }

# compare NAME COMPARISON LIMIT COLUMN 'OURS...' 'PEER...': the ratio of one column of what two commands print, over interleaved pairs
compare() {
	: >"$work/pairs"
	for pair in $(seq "$PAIRS"); do
		# shellcheck disable=SC2086
		a=$($5) && b=$($6) || { echo "   $1: could not be run (pair $pair)"; return 1; }
		echo "$a $b" | awk -v c="$4" -v n="$(echo "$a" | wc -w)" '{ print $c / $(n + c), $c, $(n + c) }' >>"$work/pairs"
	done
	row "$1" "$(quartiles <"$work/pairs")" "$2" "$3" \
		"$(awk '{ print $2 }' "$work/pairs" | middle) against $(awk '{ print $3 }' "$work/pairs" | middle) $([ "$4" = 1 ] && echo 'ns CPU' || echo IOPS)"
}

# ---- what is run; each prints "CPU-ns-per-request IOPS ..." ----
# ours DEPTH TARGET: "CPU IOPS IOPS-x-latency/depth resident-KiB"
ours() { pinned "$BUILD/tests/bench/bench_aio" "$SECONDS_EACH" "$1" "$2"; }
bare() { pinned "$BUILD/tests/bench/bench_bare" "$SECONDS_EACH" "$1" "$2"; }
batch="--iodepth_batch_submit=32 --iodepth_batch_complete_max=32 --userspace_reap=1 --norandommap=1"
value() { "$BUILD/tests/cli/jsoncheck" "$work/fio.json" "jobs.0.$1"; }
# CPU of all its threads, from outside: fio says usr_cpu and sys_cpu of the job's thread.
fio_figures() {
	awk -v u="$(value usr_cpu)" -v s="$(value sys_cpu)" -v ms="$(value job_runtime)" -v n="$(value read.total_ios)" \
		-v iops="$(value read.iops)" 'BEGIN { if (!n) exit 1; printf "%.2f %.0f\n", (u + s) / 100 * ms * 1e6 / n, iops }'
}
fio_run() { # CPUS DEPTH TARGET OPTIONS...
	cpus=$1 depth=$2 target=$3
	shift 3
	# shellcheck disable=SC2068
	on_cpus "$cpus" fio --name=a --thread=1 --filename="$target" --filesize=1g --size=1g --rw=randread --bs=4k --ioengine=libaio \
		--iodepth="$depth" --time_based --runtime="$SECONDS_EACH" $@ --output-format=json --output="$work/fio.json" >/dev/null && fio_figures
}
direct=0
tuned() { fio_run "$cpu" "$1" "$2" --direct="$direct" $batch; }
reduced() { fio_run "$cpu" "$1" "$2" --direct="$direct" $batch --gtod_reduce=1; }
plain() { fio_run "$cpu" "$1" "$2" --direct="$direct"; }
