#!/bin/sh
# What a run reports: JSON and CSV agree, options do what they say, expectations decide about the exit status.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
little_preset >"$TMP/p.ini"
preset=$TMP/p.ini

sum() { awk -F, -v c="$1" 'NR > 1 { n += $c } END { printf "%.0f", n }' "$2"; } # sum COLUMN FILE

run run "$preset" --json "$TMP/a.json" --csv "$TMP/a.csv"
expect 'a run' 0
check 'the JSON is whole' json "$TMP/a.json"
check 'three steps' same "$(json "$TMP/a.json" steps.#)" 3
check 'the name of the preset' same "$(json "$TMP/a.json" preset)" p
check 'the seed of the preset' same "$(json "$TMP/a.json" seed)" 7
check 'simulated is said' same "$(json "$TMP/a.json" simulated)" true
check 'a step ends by its time' same "$(json "$TMP/a.json" steps.0.end)" runtime
check 'the knob of the step' same "$(json "$TMP/a.json" steps.0.knobs.qd.in_effect)" 1
check 'the next step has the value of the preset again' same "$(json "$TMP/a.json" steps.1.knobs.qd.in_effect)" 4
check 'the path is a word' same "$(json "$TMP/a.json" steps.1.knobs.path.asked)" failover
check 'no transactions are counted' same "$(json "$TMP/a.json" steps.0.transactions_per_s)" null
check 'no CPU costs are known' same "$(json "$TMP/a.json" steps.0.cpu_s.sys)" null
for key in requests:4 errors:6; do
	check "CSV rows add up: ${key%:*}" same "$(sum "${key#*:}" "$TMP/a.csv")" "$(json "$TMP/a.json" --sum "${key%:*}")"
done
check 'CSV rows add up: bytes' same "$(sum 5 "$TMP/a.csv")" "$(($(json "$TMP/a.json" --sum requests) * 8192))"
for step in 0 1 2; do
	name=$(json "$TMP/a.json" steps.$step.name)
	check "CSV rows of step $name add up" same \
		"$(awk -F, -v s="$name" '$3 == s { n += $4 } END { printf "%d", n }' "$TMP/a.csv")" \
		"$(json "$TMP/a.json" steps.$step.requests)"
done
check 'CSV rows follow each other' test -z "$(awk -F, 'NR > 1 { if (NR > 2 && ($1 - end > 1e-6 || end - $1 > 1e-6)) print; end = $1 + $2 }' "$TMP/a.csv")"
check 'CSV rate is count by measured length' test -z "$(awk -F, 'NR > 1 && ($7 - $4 / $2 > 0.01 || $4 / $2 - $7 > 0.01)' "$TMP/a.csv")"
check 'CSV header' same "$(head -n 1 "$TMP/a.csv" | cut -d, -f1-8,33-)" \
	'start_s,length_s,step,requests,bytes,errors,iops,bytes_per_s,qd,aliases,path,power'
check 'IOPS is requests by length' same \
	"$(awk -v a="$(json "$TMP/a.json" steps.0.iops)" -v n="$(json "$TMP/a.json" steps.0.requests)" \
		-v t="$(json "$TMP/a.json" steps.0.length_s)" 'BEGIN { print (a - n / t < 1e-6 && n / t - a < 1e-6) ? "yes" : a }')" yes

# ---- options ----
run run "$preset" --json "$TMP/b.json"
check 'the same again is the same to the bit' cmp "$TMP/a.json" "$TMP/b.json"
run run "$preset" --seed 8 --json "$TMP/c.json"
check '--seed is in the document' same "$(json "$TMP/c.json" seed)" 8
check '--seed changes the figures' test "$(json "$TMP/a.json" steps.0.requests)" != "$(json "$TMP/c.json" steps.0.requests)"
run run "$preset" --steps three,one --json "$TMP/d.json"
expect '--steps' 0
check '--steps: in file order' same "$(json "$TMP/d.json" steps.0.name) $(json "$TMP/d.json" steps.1.name)" 'one three'
check '--steps: no more' same "$(json "$TMP/d.json" steps.#)" 2
run run "$preset" --runtime 2s --json "$TMP/e.json"
check '--runtime' same "$(json "$TMP/e.json" steps.2.length_s | cut -c1-4)" '2.0'
run run "$preset" --set qd=3 --json "$TMP/f.json"
expect '--set' 0
check '--set holds for every step' same "$(json "$TMP/f.json" steps.0.knobs.qd.in_effect)$(json "$TMP/f.json" steps.1.knobs.qd.in_effect)$(json "$TMP/f.json" steps.2.knobs.qd.in_effect)" 333
check '--set: a step that is overruled has a note' grep -q "step 'one'.*qd=1.*ignored" "$TMP/f.json"
run run "$preset" --set array.ctl=400us --json "$TMP/g.json"
expect '--set of another key' 0
check '--set of another key has its effect' test "$(json "$TMP/g.json" steps.1.requests)" -lt "$(json "$TMP/a.json" steps.1.requests)"
run run "$preset" --backend null --runtime 50ms --json "$TMP/null.json"
expect '--backend null' 0
check 'null is not simulated' same "$(json "$TMP/null.json" simulated)" false
run run "$preset" --backend null --speed 2
expect '--speed with a backend in real time' 2 'no meaning'
check 'null is named' same "$(json "$TMP/null.json" backend)" null

# ---- further jobs, names, a job that rests ----
{ cat "$preset"; printf '[job idle]\nnumjobs = 0\nrw = randwrite\nbs = 4k\n'; } >"$TMP/two.ini"
run run "$TMP/two.ini" --runtime 1s --json "$TMP/two.json"
expect 'a job that rests' 0
check 'the knobs of a further job bear its name' same "$(json "$TMP/two.json" steps.0.knobs | grep -c '"idle.jobs"')" 1
sed 's/numjobs = 8/numjobs = 0/' "$preset" >"$TMP/none.ini"
run run "$TMP/none.ini" --runtime 1s --json "$TMP/none.json" --csv "$TMP/none.csv"
check 'no requests: the JSON is whole' json "$TMP/none.json"
check 'no requests: no percentile' same "$(json "$TMP/none.json" steps.0.total_us.p99)" null
check 'no requests: no gap' same "$(json "$TMP/none.json" steps.0.gap_ms)" null
check 'no requests: empty fields' same "$(awk -F, 'NR == 2 { print $4 ":" $9 }' "$TMP/none.csv")" '0:'
check 'no requests: a note says so' grep -q 'no request was completed' "$TMP/none.json"
# 500 requests: enough for p99 (368), not for p99.9 (3688)
sed 's/bs = 8k/bs = 8k\nnumber_ios = 500/; s/run = 5s/run = until done/; /^\[step t/,$d' "$preset" >"$TMP/few.ini"
run run "$TMP/few.ini" --json "$TMP/few.json" --csv "$TMP/few.csv"
check 'few requests: p99 is told' test "$(json "$TMP/few.json" steps.0.total_us.p99)" != null
check 'few requests: p99.9 is null' same "$(json "$TMP/few.json" steps.0.total_us.p999)" null
check 'few requests: the mean and the largest are told' test "$(json "$TMP/few.json" steps.0.total_us.max)" != null
check 'few requests: a note says how many there should be' holds "$TMP/few.json" "p99.9 wants 3688 requests"
check 'few requests: and in which step' holds "$TMP/few.json" "too few in step 'one'"
check 'few requests: empty in CSV' same "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print ($at["total_p99_us"] > 0) ":" $at["total_p999_us"] }' "$TMP/few.csv")" '1:'
check 'few requests: the table has no mark on p99' same "$(grep -c '[0-9]?' "$out")" 0
sed -i 's/number_ios = 500/number_ios = 300/' "$TMP/few.ini"
run run "$TMP/few.ini"
check 'fewer: the table marks p99' grep -qE '^one .*[0-9]\?' "$out"
check 'fewer: and explains the mark' holds "$out" '?: too few requests'
check 'never nan or inf' test "$(cat "$TMP"/*.json "$TMP"/*.csv | grep -ciE '(^|[^a-z])-?(nan|inf)([^a-z]|$)')" -eq 0

# ---- expectations ----
sed '18a expect.1 = iops >= 1' "$preset" >"$TMP/pass.ini"
run run "$TMP/pass.ini" --json "$TMP/pass.json"
expect 'an expectation that holds' 0
check 'it says pass' same "$(json "$TMP/pass.json" expect.0.pass)" true
check 'the table says pass' grep -qE 'pass +[0-9]' "$out"
sed "18a expect.1 = iops <= 1\nexpect.2 = iops vs 'two' >= 0" "$preset" >"$TMP/miss.ini"
run run "$TMP/miss.ini" --json "$TMP/miss.json"
expect 'an expectation that is missed' 5
check 'it says so' same "$(json "$TMP/miss.json" expect.0.pass)" false
check 'with its value' test "$(json "$TMP/miss.json" expect.0.value)" != null
check 'the table says MISSED' holds "$out" MISSED
run run "$TMP/miss.ini" --steps one --json "$TMP/alone.json"
check 'an expectation that cannot be judged is null' same "$(json "$TMP/alone.json" expect.1.pass)" null
run run "$TMP/miss.ini" --steps two
expect 'expectations of steps that are not played do not count' 0

# ---- locale ----
if localedef -i de_DE -f UTF-8 "$TMP/de_DE.UTF-8" 2>/dev/null; then
	LOCPATH=$TMP LC_ALL=de_DE.UTF-8 "$IODECK" run "$preset" --json "$TMP/de.json" --csv "$TMP/de.csv" >"$TMP/de.txt" 2>"$err"
	check 'comma locale: the same JSON' cmp "$TMP/a.json" "$TMP/de.json"
	check 'comma locale: the same CSV' cmp "$TMP/a.csv" "$TMP/de.csv"
	check 'comma locale: the table has points' same "$(grep -cE '[0-9],[0-9]' "$TMP/de.txt")" 0
else
	skipped 'comma locale' 'localedef cannot make de_DE here'
fi
LC_ALL=C "$IODECK" run "$preset" >"$TMP/c.txt" 2>"$err"
check 'C locale: no byte above 127' test "$(LC_ALL=C tr -d '\0-\177' <"$TMP/c.txt" | wc -c)" -eq 0

# ---- the presets that come along: short, for their form only ----
for name in hyperpav ds5100; do
	run run "$name" --runtime 1s --json "$TMP/$name.json" --csv "$TMP/$name.csv"
	check "$name: runs" test "$status" -eq 0 -o "$status" -eq 5
	check "$name: the JSON is whole" json "$TMP/$name.json"
	check "$name: CSV adds up" same "$(sum 4 "$TMP/$name.csv")" "$(json "$TMP/$name.json" --sum requests)"
	check "$name: the table fits 80 columns" test -z "$(awk 'length > 80' "$out")"
done
finish
