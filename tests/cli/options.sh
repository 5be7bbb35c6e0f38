#!/bin/sh
# The command line: commands, options, help.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
little_preset >"$TMP/p.ini"
preset=$TMP/p.ini

# ---- help and version ----
run --help
expect '--help' 0
for word in run check presets probe --set --seed --glyphs --script --version; do
	check "--help tells of $word" holds "$out" "$word"
done
check '--help prints nothing on stderr' test ! -s "$err"
check '--help fits 80 columns' test "$(awk 'length > 80' "$out" | wc -l)" -eq 0
for word in sweep compare replay export; do
	check "--help does not tell of $word, which is not built" test "$(grep -cw "$word" "$out")" -eq 0
done
run run --help
expect 'run --help' 0
for word in --json --csv --steps --runtime --speed --force --backend; do
	check "run --help tells of $word" holds "$out" "$word"
done
check 'run --help tells of no option of the deck' test "$(grep -c -- --glyphs "$out")" -eq 0
for command in check presets; do
	run "$command" --help
	expect "$command --help" 0
done
run --version
expect '--version' 0
check 'version has a number' grep -qE '^iodeck [0-9]+[.][0-9]+' "$out"

# ---- commands ----
for command in sweep compare replay export; do
	run "$command" "$preset"
	expect "$command with a word is an unknown command" 2 'unknown command'
	run "$command"
	expect "$command alone is unknown" 2 "$command"
done
run chek "$preset"
expect 'a misspelt command' 2 'unknown command'
run chek
expect 'a misspelt command names the nearest' 2 'check'
run run
expect 'run without a preset' 2 'needs a PRESET'
run run "$preset" "$preset"
expect 'run with two presets' 2 'one word too many'
run check
expect 'check without a preset' 2 'needs a PRESET'
run presets x
expect 'presets with a word' 2 'one word too many'
run ''
expect 'an empty word' 2

# ---- options ----
run run "$preset" --sead 3
expect 'unknown option with the nearest' 2 'nearest: --seed'
run run "$preset" -q
expect 'a single dash' 2 'unknown option -q'
run check "$preset" --json -
expect 'an option of another command' 2 'no meaning'
run run "$preset" --glyphs ascii
expect 'an option of the deck' 2 'no meaning'
run run "$preset" --seed
expect 'no value' 2 'needs a value'
run run "$preset" --json --force
expect 'an option is no value' 2 'needs a value'
run run "$preset" --force=yes
expect 'a value for a flag' 2 'takes no value'
run run "$preset" --seed 1 --seed 2
expect 'an option twice' 2 'twice'
for value in 1e3 -1 0x10 1x '' 99999999999999999999 18446744073709551615; do
	run run "$preset" --seed="$value"
	expect "--seed=$value" 2 '--seed'
done
for value in 0 5 -1s 1e3s 10sec 999999999d; do
	run run "$preset" --runtime "$value"
	expect "--runtime $value" 2 '--runtime'
done
for value in 0 -1 fast 1,5; do
	run run "$preset" --speed "$value"
	expect "--speed $value" 2 '--speed'
done
run run "$preset" --backend modell
expect '--backend' 2 'nearest: model'
run run "$preset" --set qd
expect '--set without =' 2 '--set qd'
run run "$preset" --set qdx=3
expect '--set of an unknown knob names the nearest' 2 'qd'
run run "$preset" --set qd=0
expect '--set out of range' 2 '--set qd=0'
run run "$preset" --set qd=1 --set array.servers=many
expect '--set of another key' 2 'array.servers'
run run "$preset" --steps one,four
expect '--steps with an unknown step' 2 'four'
run run "$preset" --steps ''
expect '--steps with nothing' 2 '--steps'
run run "$preset@one"
expect 'run takes no @STEP' 2
run run "$preset" --runtime 1s -- --force
expect 'words behind --' 2 'one word too many'
run run "$preset" --set "$(printf 'q\033[31md=3')"
expect 'a control character in an option' 2
check 'the escape in an option is harmless' test "$(grep -c "$(printf '\033')" "$err")" -eq 0

# ---- both spellings ----
run run "$preset" --runtime=1s --seed=5 --json="$TMP/a.json"
expect '--option=value' 0
run run --runtime 1s --seed 5 --json "$TMP/b.json" "$preset"
expect '--option value, before the preset' 0
check 'they mean the same' cmp "$TMP/a.json" "$TMP/b.json"

# ---- where presets are found ----
mkdir "$TMP/presets"
little_preset >"$TMP/presets/tiny.ini"
IODECK_PRESETS=$TMP/presets
export IODECK_PRESETS
run check tiny
expect 'a name in IODECK_PRESETS' 0
run presets
expect 'presets' 0
check 'presets lists it with its question' grep -qE '^tiny +Is this thing on' "$out"
run check tyni
expect 'the nearest preset is named' 2 'tiny'
unset IODECK_PRESETS
for name in hyperpav ds5100; do
	run check "$name"
	expect "the build finds $name" 0
done
(cd "$TMP" && "$IODECK" check hyperpav) >"$out" 2>"$err"
status=$?
expect 'from another folder too' 0
ln -s "$IODECK" "$TMP/link"
"$TMP/link" check hyperpav >"$out" 2>"$err"
status=$?
expect 'through a symbolic link' 0
# -o all: what is built is installed as it is; other flags than those of the build must not make it anew.
if make -s -o all install BUILD="$BUILD" SAN= PREFIX=/opt/io DESTDIR="$TMP/stage" >"$TMP/log" 2>&1; then
	check 'a staged installation finds its presets' sh -c "cd / && '$TMP/stage/opt/io/bin/iodeck' check hyperpav"
	check 'it brought all presets' same "$(ls "$TMP/stage/opt/io/share/iodeck/presets")" "$(ls presets)"
	mv "$TMP/stage/opt/io" "$TMP/moved"
	check 'a moved installation too' sh -c "cd / && '$TMP/moved/bin/iodeck' check hyperpav"
else
	failed 'make install' "$(tail -n 5 "$TMP/log")"
fi

# ---- a run without a terminal does not need one, the deck does ----
TERM=dumb run run "$preset" --runtime 1s
expect 'run needs no terminal' 0
run "$preset"
check 'the deck without a terminal ends with a message' test -s "$err"
check 'and not with 0' test "$status" -ne 0
finish
