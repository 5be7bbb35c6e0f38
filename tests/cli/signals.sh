#!/bin/sh
# Signals end the running step; what was measured until then is written, whole.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
little_preset >"$TMP/p.ini"
preset=$TMP/p.ini

await() { # await FILE TEXT: at most 20 s
	tries=0
	while ! grep -qF -- "$2" "$1" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 400 ] || return 1
		sleep 0.05
	done
}
# (A shell starts background jobs with SIGINT ignored; `run` listens to it all the same.)
start() {
	rm -f "$out" "$err" # await must not see those of the last run
	"$IODECK" run "$preset" --speed 5 "$@" >"$out" 2>"$err" </dev/null &
	pid=$!
}
ended() { # ended NAME STATUS
	wait "$pid"
	status=$?
	expect "$1" "$2"
}

for signal in TERM HUP INT; do
	case $signal in TERM) expected=143 ;; HUP) expected=129 ;; *) expected=130 ;; esac
	rm -f "$TMP/s.json" "$TMP/s.csv"
	start --json "$TMP/s.json" --csv "$TMP/s.csv"
	await "$out" 'one' && sleep 0.3
	kill -$signal "$pid"
	ended "SIG$signal in the second step" "$expected"
	check "SIG$signal: the JSON is whole" json "$TMP/s.json"
	check "SIG$signal: two steps are in it" same "$(json "$TMP/s.json" steps.#)" 2
	check "SIG$signal: the first ended by itself" same "$(json "$TMP/s.json" steps.0.end)" runtime
	check "SIG$signal: the second by the signal" same "$(json "$TMP/s.json" steps.1.end)" signal
	check "SIG$signal: the table says so" holds "$out" 'cut short'
	check "SIG$signal: CSV rows are whole" test -z "$(awk -F, 'NF != 36' "$TMP/s.csv")"
	check "SIG$signal: CSV adds up" same "$(awk -F, 'NR > 1 { n += $4 } END { printf "%d", n }' "$TMP/s.csv")" \
		"$(json "$TMP/s.json" --sum requests)"
	check "SIG$signal: nothing is left behind" test -z "$(find "$TMP" -name '.*.??????')"
done

# `timeout` sends its signal to the program and to its group: twice at once.
timeout -s TERM 0.6 "$IODECK" run "$preset" --speed 1 --json "$TMP/t.json" >"$out" 2>"$err" </dev/null
check 'timeout: the JSON is whole' json "$TMP/t.json"
check 'timeout: one step, ended by the signal' same "$(json "$TMP/t.json" steps.0.end)" signal

# In the first step; nothing was judged, so nothing was missed.
start --json "$TMP/first.json"
await "$out" 'step' && sleep 0.2
kill -USR1 "$pid"
await "$err" 'IOPS'
check 'SIGUSR1 prints the state on stderr' holds "$err" "step 'one'"
kill -TERM "$pid"
ended 'SIGTERM in the first step' 143
check 'one step is in it' same "$(json "$TMP/first.json" steps.#)" 1

# nohup: an ignored SIGHUP stays ignored.
rm -f "$out"
(
	trap '' HUP
	exec "$IODECK" run "$preset" --speed 20 --json "$TMP/nohup.json"
) >"$out" 2>"$err" </dev/null &
pid=$!
await "$out" 'one'
kill -HUP "$pid"
ended 'an ignored SIGHUP' 0
check 'all steps were played' same "$(json "$TMP/nohup.json" steps.#)" 3

# Pacing: 15 s of engine time at 30 x.
begin=$(date +%s%N)
run run "$preset" --speed 30
end=$(date +%s%N)
expect '--speed 30' 0
check '15 s take at least 0.45 s' test $(((end - begin) / 1000000)) -ge 450
finish
