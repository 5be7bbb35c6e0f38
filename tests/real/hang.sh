#!/bin/sh
# A device that does not answer: results are written, the end comes, at the second Ctrl-C at once.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

head -c 4194304 /dev/urandom >"$TMP/file"
timed 3 >"$TMP/t.ini"

# ---- answers that are held back on purpose ----
{ timed 1; printf '[fault]\nstall = 60s\n'; } >"$TMP/stall.ini"
limited 20 run "$TMP/stall.ini" --target "$TMP/file"
expect 'no answer' 4
check 'the step hung' same "$(value steps.0.end)" hung
check 'how many and how old' holds "$TMP/j" '8 requests outstanding, oldest '
rm -f "$TMP/j2"
"$IODECK" run "$TMP/stall.ini" --runtime 60s --target "$TMP/file" --json "$TMP/j2" >"$out" 2>"$err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
status=$?
expect 'the first Ctrl-C ends it' 130
check 'with its results' same "$(json "$TMP/j2" steps.0.end)" signal

# ---- answers that never come ----
if ! interposer; then
	skipped 'answers that never come' 'no shared object can be built, or a sanitizer is in it'
	finish
fi
# A device that hangs, twice: left alone, `run` ends by itself (what it does last is the file of counts); with a second signal it is
# gone at once, before that.
export INTERPOSE=hold INTERPOSE_OUT="$TMP/count"
await_json() { # the results are written before the program waits for what is out
	tries=0
	until [ -s "$TMP/j" ] || [ $tries -eq 400 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}
for second in no yes; do
	rm -f "$TMP/count" "$TMP/j"
	LD_PRELOAD=$TMP/interpose.so "$IODECK" run "$TMP/t.ini" --runtime 60s --target "$TMP/file" --json "$TMP/j" >"$out" 2>"$err" </dev/null &
	pid=$!
	sleep 1
	kill -INT $pid
	await_json
	[ $second = no ] || { sleep 0.4 && kill -INT $pid; }
	wait $pid
	status=$?
	expect "a device hangs, Ctrl-C (second: $second)" 130
	check "its results are written (second: $second)" same "$(value steps.0.end)" signal
	check "what did not come back is counted (second: $second)" same "$(value steps.0.outstanding)" 8
	check "it left at once: $second" same "$([ -e "$TMP/count" ] && echo no || echo yes)" $second
done
unset INTERPOSE INTERPOSE_OUT
interposed hold 60 run "$TMP/t.ini" --target "$TMP/file"
expect 'a device hangs: runtime, grace, and an end' 4
check 'a device hangs: the step says so' same "$(value steps.0.end)" hung
check 'a device hangs: what came back before counts' same "$(value steps.0.requests)" "$(cut -d' ' -f2 "$TMP/count")"
check 'a device hangs: how many and how old' holds "$TMP/j" '8 requests outstanding, oldest '
check 'a device hangs: not for ever' test "$(value steps.0.length_s | cut -d. -f1)" -le 10
finish
