#!/bin/sh
# Presets that must be refused: exit 2 and FILE:LINE, whatever is wrong with them; and odd ones that must be taken.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

good=$TMP/good.ini
little_preset >"$good"
run check "$good"
expect 'a good preset' 0
check 'check prints the plan' holds "$out" 'three'
check 'check prints nothing on stderr' test ! -s "$err"

# refused NAME LINE: $TMP/bad.ini is refused at this line, by check and by run, and says nothing else.
refused() {
	run check "$TMP/bad.ini"
	expect "$1" 2 "$TMP/bad.ini:$2:"
	[ "$(wc -l <"$err")" -eq 1 ] || failed "$1: one line" "$(cat "$err")"
	[ ! -s "$out" ] || failed "$1: stdout stays empty" "$(cat "$out")"
	run run "$TMP/bad.ini" --json "$TMP/none.json"
	if [ "$status" -ne 2 ] || [ -e "$TMP/none.json" ]; then
		failed "$1: run" "exit status $status"
	fi
}
# replace NAME LINE TEXT: line LINE of the good preset becomes TEXT.
replace() {
	awk -v at="$2" -v text="$3" 'NR == at { print text; next } { print }' "$good" >"$TMP/bad.ini"
	refused "$1" "$2"
}
# replace_near NAME LINE TEXT NEAREST: the message also says what was meant.
replace_near() {
	replace "$1" "$2" "$3"
	run check "$TMP/bad.ini"
	check "$1: the nearest is named" holds "$err" "$4"
}

replace_near 'unknown section' 9 '[hosts]' 'host'
replace_near 'unknown key' 11 'qdd = 4' 'qd'
replace_near 'unknown knob in set' 18 'set = qdp=1' 'qd'
replace_near 'unknown word' 7 'rw = randreed' 'randread'
replace 'duplicate key' 8 'rw = randread'
replace 'duplicate key in other letters' 8 'RW = randread'
replace 'duplicate section' 19 '[step one]'
replace 'duplicate section in other letters' 19 '[Step One]'
replace 'key before any section' 1 'seed = 7'
replace 'bs with junk' 8 'bs = 4KiBx'
replace 'bs with a comma' 8 'bs = 4,5k'
replace 'exponent' 6 'numjobs = 1e3'
replace 'negative' 6 'numjobs = -8'
replace 'hexadecimal' 6 'numjobs = 0x10'
replace 'plus sign' 6 'numjobs = +8'
replace 'overflow of 64 bit' 6 'numjobs = 99999999999999999999'
replace 'above its range' 11 'qd = 1025'
replace 'below its range' 11 'qd = 0'
replace 'empty value' 11 'qd ='
replace 'key without =' 11 'qd'
replace 'time without a unit' 14 'ctl = 200'
replace 'time that overflows' 17 'run = 999999999999d'
replace 'run of 0' 17 'run = 0'
replace 'boolean' 20 'fresh = maybe'
replace 'value cut at ;' 3 'title = one;two'
replace 'value cut at #' 3 'title = LUN#3'
replace 'quote with something behind it' 3 'title = "Why?" | x'
replace 'quote that does not end' 3 'title = "Why'
replace 'backslash' 3 'title = a\b'
replace 'colon in a name' 16 '[step round-robin:10]'
replace 'section that does not end' 16 '[step one'
replace 'section without a name' 16 '[step ]'
replace 'control character' 3 "$(printf 'title = a\033[31mb')"
check 'no escape reaches the terminal' test "$(grep -c "$(printf '\033')" "$err")" -eq 0
replace 'out of range in set' 18 'set = qd=1025'
replace 'set without a value' 18 'set = qd'
replace 'expectation with an unknown step' 23 "expect.1 = iops vs 'nine' >= 1"
replace 'expectation with an unknown metric' 23 'expect.1 = iopses >= 1'
replace 'fault that is none' 23 'fault = path p0 sideways'

# name LINE: files made below
awk 'NR == 3 { printf "title = %3000s\n", "x"; next } { print }' "$good" | tr ' ' ' ' >"$TMP/bad.ini"
refused 'line of 3000 characters' 3
{ head -n 2 "$good"; printf 'title = a\0b\n'; tail -n +4 "$good"; } >"$TMP/bad.ini"
refused 'NUL byte' 3
tr '\n' '\r' <"$good" >"$TMP/bad.ini"
run check "$TMP/bad.ini"
expect 'CR only' 2 "$TMP/bad.ini:1:"
: >"$TMP/bad.ini"
run check "$TMP/bad.ini"
expect 'empty file' 2 "$TMP/bad.ini"
printf '# only a comment\n' >"$TMP/bad.ini"
run check "$TMP/bad.ini"
expect 'only a comment' 2 "$TMP/bad.ini"
head -n 15 "$good" >"$TMP/bad.ini"
run check "$TMP/bad.ini"
expect 'no step' 2 "$TMP/bad.ini"

run check "$TMP"/
expect 'a folder' 2 "$TMP"
mkdir "$TMP/folder.ini"
run check "$TMP/folder.ini"
expect 'a folder that ends in .ini' 2 "$TMP/folder.ini"
run check "$TMP/missing.ini"
expect 'a missing file' 2 "$TMP/missing.ini"
run check no-such-preset
expect 'a missing name' 2 'no-such-preset'
run run no-such-preset
expect 'a missing name for run' 2 'no-such-preset'
cp "$good" "$TMP/secret.ini"
chmod 0 "$TMP/secret.ini"
if [ -r "$TMP/secret.ini" ]; then
	if setpriv --reuid 65534 --clear-groups --inh-caps=-all test -x "$IODECK" 2>/dev/null; then
		chmod 755 "$TMP" "$TMPDIR" 2>/dev/null
		setpriv --reuid 65534 --clear-groups --inh-caps=-all "$IODECK" check "$TMP/secret.ini" >"$out" 2>"$err"
		status=$?
		expect 'an unreadable file' 2 'secret.ini'
	else
		skipped 'an unreadable file' 'root reads everything, and no other user may run the program here'
	fi
else
	run check "$TMP/secret.ini"
	expect 'an unreadable file' 2 "$TMP/secret.ini"
fi

# Odd, but good.
{ printf '\357\273\277'; cat "$good"; } >"$TMP/odd.ini"
run check "$TMP/odd.ini"
expect 'a byte order mark' 0
sed 's/$/\r/' "$good" >"$TMP/odd.ini"
run check "$TMP/odd.ini"
expect 'CRLF' 0
printf '%s' "$(cat "$good")" >"$TMP/odd.ini"
run check "$TMP/odd.ini"
expect 'no line end at the end' 0
sed '3s/.*/title = "Ten aliases help; look at LUN #3."/; 11s/$/      ; a comment/' "$good" >"$TMP/odd.ini"
run check "$TMP/odd.ini"
expect 'quotes and comments' 0
check 'the quoted value is whole' holds "$out" 'Ten aliases help; look at LUN #3.'

# All values as they were understood.
sed '8s/.*/bs = 4kB/; 14s/.*/ctl = 0.2ms/' "$good" >"$TMP/odd.ini"
run check "$TMP/odd.ini"
expect 'units' 0
check '4kB is 4000 bytes' grep -qE '4000|4kB' "$out"
check '0.2ms is 200us' holds "$out" '200us'
run check --keys
expect 'check --keys' 0
for word in '[preset]' '[host]' '[array]' number_ios rwmixread failover_time ctl_shape; do
	check "check --keys tells of $word" holds "$out" "$word"
done

# Names with controls must not reach the terminal either.
run check "$(printf '%s/a\033[31mb.ini' "$TMP")"
expect 'a path with a control character' 2
check 'the escape in a path is harmless' test "$(grep -c "$(printf '\033')" "$err")" -eq 0

# Every preset that comes along; the README tells of it with its question.
for preset in presets/*.ini; do
	check "$preset stands in the README" holds README.md "| \`$(basename "$preset" .ini)\` | $(sed -n '1s/^# *//p' "$preset") |"
	run check "$preset"
	expect "$preset" 0
done
finish
