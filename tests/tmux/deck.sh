#!/bin/sh
# The deck in a real terminal program: what an operator does first, sizes, and every way to end. Prints TAP.
# shellcheck source=tests/tmux/lib.sh
. "$(dirname "$0")/lib.sh"
command -v tmux >/dev/null 2>&1 || {
	echo "1..0 # SKIP no tmux"
	exit 0
}

# ---- turning the queue depth, on two terminals ----
story() {
	name="$1 $2"
	open "$1" "$2" 80 24 ds5100
	await 'd:QD >1<' && await 'IOPS 1\.[45]' && await 'settled:'
	check "$name: opens held at depth 1, settles" $?
	screen | grep -q 'Why does ten times'
	check "$name: the question is there" $?
	keys d
	await 'QD: commands a path'
	check "$name: choosing a knob explains it" $?
	keys +
	await 'd:QD >2<'
	check "$name: one step up" $?
	keys :
	type_line 'set qd 10'
	await 'd:QD >10< (1)'
	check "$name: :set qd 10 is in effect, 1 stands behind it" $?
	await 'IOPS 2[45]\.[0-9]k  *x1[67]\.[0-9] \[1[67]'
	check "$name: 24-25 k IOPS, some 16 times as many" $?
	await '2 QD 1>10 x1[67]\.[0-9] \[1[67]\.[0-9],1[67]'
	check "$name: the mark has its result with an interval" $?
	screen | grep -qE '(0|<1)%\([0-9][0-9]\)' && screen | grep -q '202 MB/s\|203 MB/s\|201 MB/s'
	check "$name: the ghost of depth 1 stands where now is nothing" $?
	[ "$2" != C ] || ! screen | LC_ALL=C grep -q '[^ -~]'
	check "$name: no byte above 127 where there must be none" $?
	keys u
	await 'd:QD >1<\|d:QD >2<' && await 'undone'
	check "$name: undo" $?
	keys q
	put_back "$name: q" 0
}
story vt100 C
story xterm-256color C.UTF-8

# ---- playing, holding, faults, errors on the line ----
open xterm-256color C.UTF-8 80 24 ds5100 --speed 10
await 'HELD 1/' && keys : && type_line play && await 'PLAY [2-9]/' 30
check 'play runs the steps' $?
keys d && keys + && await 'HELD'
check 'a turned knob takes over' $?
keys : && type_line 'fault path p0 down' && await 'p0!DOWN' && await 'p1+100\|p1+ [0-9]'
check 'a path goes down: the other takes over' $?
keys : && type_line 'set qd 4096' && await '1\.\.1024' && screen | grep -q '^:set qd 4096'
check 'an error stays on the line and names the range' $?
keys Escape
gone '^:set'
check 'Esc leaves the line' $?
keys '?' && await 'KNOBS' && keys Space && await 'page 2' && keys '?' && await 'd:QD'
check 'help opens, turns its page, closes' $?
keys : && type_line 'load quickstart' && await 'quickstart'
check 'load opens another preset' $?
keys : && type_line "shot $WORK/shot.txt" && await_file "$WORK/shot.txt" quickstart
check 'shot writes the screen' $?
keys : && type_line "shot $WORK/shot.txt" && await 'it exists'
check 'shot never writes over a file' $?
keys Escape
gone '^:shot'
keys C-c
put_back 'Ctrl-C' 130

# ---- without a preset: the picker ----
open xterm-256color C.UTF-8 80 24
await 'OPEN A PRESET' && await '>quickstart'
check 'without a preset the picker, quickstart chosen' $?
keys d s 5 1 && await '>ds5100' && gone 'quickstart'
check 'typing filters' $?
keys C-u && keys q u i c k && await '>quickstart' && keys Enter && await 'HELD 1/'
check 'Enter opens' $?
T send-keys -t deck F10
put_back 'F10' 0

# ---- sizes ----
open xterm-256color C.UTF-8 80 24 ds5100
await 'd:QD'
resize 20 5
await 'QD1' && await '80x24 for charts'
check '20x5: words' $?
keys d + && await 'QD2'
check '20x5: a knob can still be turned' $?
resize 1 1
keys +
resize 200 50
await 'EVENTS' && await '>4<' && await 'TOPOLOGY'
check '1x1, then 200x50' $?
for size in '80 24' '40 10' '3 90' '132 43' '500 3' '60 15' '79 23' '80 24'; do
	# shellcheck disable=SC2086
	resize $size
done
await 'TOTAL ms' && await 'd:QD >4<'
check 'a storm of sizes, then 80x24' $?
keys q
put_back 'after all sizes' 0

# ---- told to end from outside (every other ending: tests/tty/test_ends.c) ----
open xterm-256color C.UTF-8 80 24 quickstart
await 'HELD 1/'
kill -TERM "$(pid)"
put_back 'kill -TERM' 143

# ---- the terminal goes away ----
open xterm-256color C.UTF-8 80 24 ds5100
await 'HELD 1/'
process=$(pid)
T kill-server
end=$(($(milliseconds) + 10000))
while running "$process" && [ "$(milliseconds)" -lt "$end" ]; do sleep 0.05; done
! running "$process"
check 'a closed terminal ends it' $?
kill -KILL "$process" 2>/dev/null

finish
