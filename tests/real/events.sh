#!/bin/sh
# `iodeck probe` tells what the kernel said between two samples: a loop device is attached and detached meanwhile.
. "$(dirname "$0")/lib_real.sh"

why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'a loop device attached between two samples is told' "$why"
	finish
fi

# samples N: until the file has so many; at most 20 s
samples() {
	for _ in $(seq 400); do
		[ "$(wc -l <"$TMP/json")" -ge "$1" ] && return
		sleep .05
	done
	return 1
}
# events_of NAME: "sample kind" of every event of the device; $TMP/json has a sample a line
events_of() { awk -v d="\"device\": \"$1\"" '{ sub(/.*"events": /, ""); sub(/"pressure".*/, ""); while (i = index($0, d)) { s = substr($0, 1, i); sub(/.*"kind": "/, "", s); sub(/".*/, "", s); print NR, s; $0 = substr($0, i + 1) } }' "$TMP/json"; }

: >"$TMP/json"
"$IODECK" probe --interval 500ms --json - --csv "$TMP/csv" >"$TMP/json" 2>"$TMP/table" &
prober=$!
check 'it samples' samples 1
device=$(loop events.img 4) name=${device#/dev/}
before=$(wc -l <"$TMP/json")
check 'it goes on sampling' samples $((before + 2))
attached=$(events_of "$name" | wc -l)
unloop "$device"
before=$(wc -l <"$TMP/json")
check 'and on' samples $((before + 2))
kill -INT $prober
wait $prober
if head -n 1 "$TMP/json" >"$TMP/one" && [ "$(json "$TMP/one" events.state)" = unreadable ]; then
	skipped 'a loop device attached between two samples is told' "$(json "$TMP/one" events.reason)"
	finish
fi
check 'attaching is told' test "$attached" -ge 1
check 'detaching is told too' test "$(events_of "$name" | wc -l)" -gt "$attached"
check 'an event is told in one sample only' same "$(events_of "$name" | wc -l)" "$(grep -cE "event (changed|added|removed): $name " "$TMP/table")"
check 'the table has the line' grep -qE "^[0-9:.]{12} event (changed|added|removed): $name (changed|added|removed)" "$TMP/table"
check 'the CSV counts it for the device' test "$(awk -F, -v d="$name" '$3 == d { n += $NF } END { print n + 0 }' "$TMP/csv")" -ge 1
finish
