#!/bin/sh
# What a run tells of a volume: disks, rebalance, the hang, in the document and in the table.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run run asm-hang --json "$TMP/hang.json"
expect 'a hang alone is no failure' 0
check 'it ends hung' same "$(json "$TMP/hang.json" steps.0.end)" hung
check 'after 5 s' same "$(json "$TMP/hang.json" steps.0.length_s | cut -c1-3)" '5.0'
check 'the operation waits' same "$(json "$TMP/hang.json" steps.0.rebalance.state)" WAIT
check 'the disk is HUNG' same "$(json "$TMP/hang.json" steps.0.disks.1.name) $(json "$TMP/hang.json" steps.0.disks.1.state)" 'd2 HUNG'
check 'nothing moved' same "$(json "$TMP/hang.json" steps.0.rebalance.sofar_au)" 0
check 'it will not end by itself' same "$(json "$TMP/hang.json" steps.0.rebalance.est_minutes)" null
tr -s '\n ' '  ' <"$out" >"$TMP/one-line" # it is wrapped
check 'the table names the reason' holds "$TMP/one-line" 'd2 cannot be dropped'
check 'a third disk helps' same "$(json "$TMP/hang.json" steps.1.end) $(json "$TMP/hang.json" steps.1.rebalance.state)" 'done DONE'
check 'all that was planned moved' same "$(json "$TMP/hang.json" steps.1.rebalance.sofar_au)" "$(json "$TMP/hang.json" steps.1.rebalance.est_work_au)"
check 'the word that was found is told' same "$(json "$TMP/hang.json" expect.1.value)" WAIT

run run asm-em-bug --json "$TMP/bug.json"
expect 'the bug' 0
check 'asked and actual' same \
	"$(json "$TMP/bug.json" steps.1.rebalance.power.asked) $(json "$TMP/bug.json" steps.1.rebalance.power.actual)" '5 1'
check 'the knob says so too' same \
	"$(json "$TMP/bug.json" steps.1.knobs.power.asked) $(json "$TMP/bug.json" steps.1.knobs.power.in_effect)" '5 1'
check 'the table shows both' holds "$out" 'power 1 (asked 5)'
check 'the table shows what befell the step' grep -q '^    add d5 at 0 s$' "$out"
check 'the added disk is there' same "$(json "$TMP/bug.json" steps.1.disks.#)" 5
check 'its share of the time' grep -q '"busy": 0\.[0-9]' "$TMP/bug.json"

run run ds5100 --steps 'depth 1' --json "$TMP/none.json"
expect 'no volume' 0
check 'no volume: rebalance is null' same "$(json "$TMP/none.json" steps.0.rebalance)" null
check 'no volume: no disks' same "$(json "$TMP/none.json" steps.0.disks.#)" 0

finish
