#!/bin/sh
# Real storage when things go wrong: right results or a clear error, never a hang, never a wrong count.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

moment randread >"$TMP/r.ini"
head -c 4194304 /dev/urandom >"$TMP/file"
timed 3 >"$TMP/t.ini"

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
check 'no errors by them' same "$(json "$TMP/winch.json" steps.0.errors) $(json "$TMP/winch.json" steps.0.short)" '0 0'

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
	# Much is left for others, and more is asked for: 1024 on each of twenty targets.
	twenty() {
		set --
		while [ $# -lt 40 ]; do set -- "$@" --target "$TMP/file"; done
		limited 20 run "$TMP/t.ini" --runtime 200ms --set iodepth=64 --set jobs=400 "$@"
	}
	taken=$(cat /proc/sys/fs/aio-nr)
	echo $((taken + 16000)) >/proc/sys/fs/aio-max-nr
	twenty
	echo "$most" >/proc/sys/fs/aio-max-nr
	expect 'aio requests used up' 1 'cannot have 20480 requests in flight'
	check 'it says the limit' holds "$err" "allows $((taken + 16000)) for all programs (fs.aio-max-nr)"
	check 'it says how many are taken' holds "$err" 'are taken (fs.aio-nr)'
	twenty
	expect 'the same with the limit as it was' 0
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

idle=$(loop idle.img 8)
gone=$(loop gone.img 8)
(sleep 1 && : >"$TMP/gone.img" && losetup -c "$gone") &
limited 20 run "$TMP/t.ini" --target "$gone"
wait
expect 'a device goes away' 6
check 'and is named' holds "$TMP/j" "'$gone' went away"
check 'what it gave before counts' test "$(value steps.0.requests)" -gt 0
check 'the step ended by it' same "$(value steps.0.end)" device
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
