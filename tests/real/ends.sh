#!/bin/sh
# Real storage when things go wrong: right results or a clear error, never a hang, never a wrong count.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

moment randread >"$TMP/r.ini"
# timed SECONDS [iodepth]
timed() {
	cat <<-INI
	# How long?
	[job a]
	rw = randread
	bs = 4k
	iodepth = ${2:-8}
	[step one]
	run = $1s
	INI
}
value() { json "$TMP/j" "$1"; }
# limited SECONDS ARGS...: the program, which must not hang
limited() {
	seconds=$1
	shift
	rm -f "$TMP/j"
	timeout -k 2 "$seconds" "$IODECK" "$@" --json "$TMP/j" >"$out" 2>"$err" </dev/null
	status=$?
}
head -c 4194304 /dev/urandom >"$TMP/file"
timed 3 >"$TMP/t.ini"

# ---- counts against what really went through ----
if ${CC:-cc} -D_GNU_SOURCE -shared -fPIC -o "$TMP/interpose.so" tests/real/interpose.c -ldl 2>/dev/null && [ -z "${SAN:-}" ]; then
	sed 's/number_ios.*/number_ios = 3000/; s/iodepth.*/iodepth = 32/' "$TMP/r.ini" >"$TMP/n.ini"
	for mode in plain eagain short eintr; do
		export INTERPOSE=$mode INTERPOSE_OUT=$TMP/count
		LD_PRELOAD=$TMP/interpose.so
		export LD_PRELOAD
		limited 30 run "$TMP/n.ini" --target "$TMP/file"
		unset LD_PRELOAD
		expect "interposed, $mode: ends well" 0
		requests=$(value steps.0.requests)
		check "interposed, $mode: requests" same "$requests" 3000
		check "interposed, $mode: exactly what went through" same "$(cat "$TMP/count")" "3000 3000 $((3000 * 4096))"
	done

	# A device that hangs, twice: left alone, `run` ends by itself (what it does last is the file of counts); with a second signal it is
	# gone at once, before that.
	export INTERPOSE=hold
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
	rm -f "$TMP/j"
	LD_PRELOAD=$TMP/interpose.so timeout -k 2 60 "$IODECK" run "$TMP/t.ini" --target "$TMP/file" --json "$TMP/j" >"$out" 2>"$err" </dev/null
	status=$?
	expect 'a device hangs: runtime, grace, and an end' 4
	check 'a device hangs: the step says so' same "$(value steps.0.end)" hung
	check 'a device hangs: what came back before counts' same "$(value steps.0.requests)" "$(cut -d' ' -f2 "$TMP/count")"
	check 'a device hangs: how many and how old' holds "$TMP/j" '8 requests outstanding, oldest '
	check 'a device hangs: not for ever' test "$(value steps.0.length_s | cut -d. -f1)" -le 10
	unset INTERPOSE
else
	skipped 'interposed libaio' 'no shared object can be built, or a sanitizer is in it'
fi

# ---- signals ----
"$IODECK" run "$TMP/t.ini" --target "$TMP/file" --json "$TMP/stop.json" --csv "$TMP/stop.csv" >"$out" 2>"$err" &
pid=$!
sleep 1
kill -STOP $pid && sleep 2 && kill -CONT $pid
wait $pid
status=$?
expect 'stopped for a while' 0
check 'and it says so' holds "$TMP/stop.json" 'late: the process was stopped'
check 'rows add up to the total' same "$(awk -F, 'NR > 1 { n += $4 } END { print n }' "$TMP/stop.csv")" "$(json "$TMP/stop.json" steps.0.requests)"
"$IODECK" run "$TMP/t.ini" --runtime 2s --target "$TMP/file" --json "$TMP/winch.json" >"$out" 2>"$err" &
pid=$!
sleep 0.3
n=0
while [ $n -lt 100 ] && kill -WINCH $pid 2>/dev/null; do
	n=$((n + 1))
	sleep 0.01
done
wait $pid
status=$?
expect 'a hundred SIGWINCH a second' 0
check 'no errors by them' same "$(json "$TMP/winch.json" steps.0.errors)" 0

# ---- a device that does not answer ----
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

# ---- a file that shrinks ----
cp "$TMP/file" "$TMP/shrink"
(sleep 1 && : >"$TMP/shrink") &
limited 20 run "$TMP/t.ini" --runtime 2s --target "$TMP/shrink"
wait
expect 'a file shrinks' 4
check 'what was there counts' test "$(value steps.0.requests)" -gt 0
check 'the rest is short' test "$(value steps.0.short)" -gt 0

# ---- the machine-wide limit; loop devices ----
if [ ! -w /proc/sys/fs/aio-max-nr ]; then
	skipped 'aio requests used up' 'fs.aio-max-nr cannot be changed here'
else
	most=$(cat /proc/sys/fs/aio-max-nr)
	trap 'echo "$most" >/proc/sys/fs/aio-max-nr; put_back' EXIT
	echo $(($(cat /proc/sys/fs/aio-nr) + 8)) >/proc/sys/fs/aio-max-nr
	limited 20 run "$TMP/t.ini" --set iodepth=64 --target "$TMP/file"
	echo "$most" >/proc/sys/fs/aio-max-nr
	expect 'aio requests used up' 1 'fs.aio-max-nr'
	check 'it says how many are taken' holds "$err" 'are taken (fs.aio-nr)'
fi
why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'devices that go wrong' "$why"
	finish
fi
four_k=$(loop fourk.img 8 -b 4096)
limited 20 run "$TMP/r.ini" --set bs=512 --target "$four_k"
expect '512 bytes on a 4096-byte device' 2 "bs=512 is not a multiple of the 4096-byte logical block of '$four_k'"
limited 20 run "$TMP/r.ini" --target "$four_k"
expect '4096 bytes on it' 0

idle=$(loop idle.img 16)
sectors() { awk '{ print $3 }' "/sys/block/${idle#/dev/}/stat"; }
sleep 0.5
before=$(sectors)
sed 's/number_ios.*/number_ios = 2000/' "$TMP/r.ini" >"$TMP/n.ini"
limited 20 run "$TMP/n.ini" --target "$idle"
expect 'an idle device' 0
check 'its sectors are ours' same "$(($(sectors) - before))" "$((2000 * 8))"

gone=$(loop gone.img 8)
(sleep 1 && : >"$TMP/gone.img" && losetup -c "$gone") &
limited 20 run "$TMP/t.ini" --target "$gone"
wait
expect 'a device goes away' 6
check 'and is named' holds "$TMP/j" "'$gone' went away"
unloop "$gone"
rm "$TMP/gone.img"
gone=$(loop gone.img 8)
(sleep 1 && : >"$TMP/gone.img" && losetup -c "$gone") &
limited 20 run "$TMP/t.ini" --target "$gone" --target "$idle"
wait
expect 'one of two goes away' 6
check 'the other goes on' holds "$TMP/j" 'the other targets went on'
check 'to the end' test "$(value steps.0.length_s | cut -d. -f1)" -ge 2
finish
