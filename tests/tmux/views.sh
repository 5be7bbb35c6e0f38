#!/bin/sh
# One whole use of views 4 and 6 by keys alone, from start to quit: a lesson with a right, a wrong and a skipped answer, taken over and
# returned to; the log looked through while things happen. Prints TAP.
# shellcheck source=tests/tmux/lib.sh
. "$(dirname "$0")/lib.sh"
command -v tmux >/dev/null 2>&1 || {
	echo "1..0 # SKIP no tmux"
	exit 0
}

# ---- a lesson ----
open vt100 C 80 24 hyperpav --speed 100
await 'HELD 1/5'
keys 4
await 'step 1/5 *READY' && await '^\[>\] 1 no alias' && await 'space runs this step to its end'
check '4 shows the steps of the preset, nothing asked at the first' $?
keys 2
await 'view 2 is not built; there are 1 deck, 4 steps'
check 'where no question is open, a number is a view; one that is not built says so' $?
keys Space
await 'step 1/5 *DONE' 30 && await '^ + share total 1024us..2047us between 0.42 and 0.55: found 0.4' && await 'HELD\|x100 *01:01'
check 'space runs the step to its end: figures, and the clock stands at 01:01' $?
keys Space
await 'PREDICT  Ten aliases join' && await ' 4  they move above 4 ms' && await 'Your answer: 1-4'
check 'space goes on: the question of step 2 is open' $?
keys Space
await 'first the answer: 1-4, or s to skip'
check 'nothing runs before an answer' $?
screen | grep -q 'x100 *01:01' && ! screen | grep -q 'second peak'
check 'the clock stands, and nothing tells the answer' $?
keys 2
await 'REVEAL  2 is right: many of them move below 0.5 ms.  You: 2, right' 30
check 'the right answer runs the step, then it is revealed' $?
await "^ + share total 0us..511us vs 'no alias' >= 1.5: found 2.39" && await 'A second peak appears' && await 'score 1/1' && await '<$'
check 'with the number that decides, the caption, the score and the marked bar' $?
keys Space
await 'PREDICT  Twenty aliases'
keys 1
await 'You: 1, not right' 30 && await 'score 1/2' && await "^ - 1: transactions_per_s vs 'aliases 10' between 1.3 and 1.45: found 1.02"
check 'the wrong answer: not right, and the number against it' $?
keys Right
await 'PREDICT  Forty aliases' && await 'step 4/5 *PREDICT'
keys s
await 'You: skipped, not scored' 30 && await 'score 1/2 *1 skipped'
check 'a skipped one is not scored' $?
whole=$(screen | grep -o '[0-9.]*$' | head -n 1)
keys T
await 'HELD 4/5' && await 'IODECK'
check 'T takes over: the deck, held, the load runs' $?
keys a + && await '4 *>50<\|ALIAS >50<'
check 'knobs can be turned' $?
keys 4
await 'step 4/5 *TAKEN OVER' && await 'the lesson waits at the end of step 4'
check 'view 4 knows that the lesson waits' $?
keys b
await 'step 4/5 *DONE' 30 && await 'x100 *04:04' && await 'You: skipped, not scored'
check 'b goes back to the end of step 4, at the same time' $?
[ "$(screen | grep -o '[0-9.]*$' | head -n 1)" = "$whole" ]
check 'with the same figures' $?
keys Left
await 'step 3/5 *DONE' 30 && await 'x100 *02:02'
check 'Left goes back one step: the clock stands at its begin' $?
keys Space
await 'x100 *03:03' 30 && await 'You: 1, not right' && await 'score 1/2'
check 'it runs again, and the score stays' $?
keys G
await '^:goto' && type_line '01:20' && await 'step 2/5 *PAUSED' 30 && await 'x100 *01:20'
check 'G goes to a time of the run and stands there' $?
keys '<' && await 'SIM x16' && keys '<' && await 'SIM x8' && keys '>' && await 'SIM x16' && keys '>' && keys : && type_line 'speed 100' && await 'x100'
check '< and > halve and double the speed, up to x16' $?
keys Right Right Right
await 'step 5/5 *PREDICT' 30 && await 'which number gives the most'
keys 9 4
await 'You: 4, not right' 60 && await 'That was the last step' && await 'score 1/3 *1 skipped'
check 'the last step ends the lesson' $?
keys : && type_line anew && await 'step 1/5 *READY' && await 'score 0/0' && await 'x100 *00:00'
check ':anew forgets the answers and begins again' $?
keys q
put_back 'a lesson' 0

# ---- from the list of presets into a lesson, and a knob turned in the middle ----
open xterm-256color C.UTF-8 80 24 --speed 4
await 'OPEN A PRESET' && keys q u i c k && await '> quick' && await '1 of [0-9]* presets' && await 'lesson  2 questions'
check 'typing filters the list, and tells how much a preset asks' $?
keys Tab && await 'step 1/3 *READY' && keys Space && await 'step 1/3 *RUNS' && await 'RUNS  [1-9] of 20 s'
check 'Tab opens it as a lesson' $?
keys Space && await 'step 1/3 *PAUSED' && keys 1 && await 'PAUSE 1/3' && keys d + && await 'QD >2<' && keys 4 && await 'TAKEN OVER' && await 'waits in step 1'
check 'a knob turned in view 1 takes over' $?
keys b && await 'step 1/3 *PAUSED' && keys 1 && await 'QD >\?1'
check 'b goes back to before it was turned' $?
keys 4 && keys : && type_line 'view events' && await 'the run was begun anew'
check 'the log tells that the run was begun anew' $?
keys Escape
await 'PAUSE 1/3' && keys '?' && await 'HELP for view deck'
check 'Esc leads back to the deck, ? to its help' $?
keys q && await 'PAUSE 1/3' && keys : && type_line 'help lesson' && await 'the preset as a lesson'
check ':help TEXT goes to the line' $?
keys q && await 'PAUSE 1/3' && keys q
put_back 'from the list' 0

# ---- the same by commands, with a script and time by hand ----
cat >"$WORK/lesson.deck" <<-SCRIPT
	:view steps
	:step 1s
	:go
	:step 70s
	:wait DONE
	:next
	:wait PREDICT
	:answer 3
	:step 70s
	:wait You: 3, not right
	:takeover
	:view steps
	:wait TAKEN OVER
	:step 5s
	:return
	:wait DONE
	:back
	:goto aliases 20
	:answer skip
	:step 30s
	:goto 01:20
	:wait PAUSED
	:shot $WORK/lesson.txt
	:quit
SCRIPT
open xterm-256color C.UTF-8 80 24 hyperpav --script "$WORK/lesson.deck"
put_back 'a lesson by commands' 0
grep -q 'x1 *01:20' "$WORK/lesson.txt"
check 'at 01:20 of the run' $?

# ---- the log ----
open screen-256color C.UTF-8 80 24 path-loss --speed 4
await 'HELD 1/5'
keys 6
await 'IODECK 6:EVENTS' && await '^>.*preset path-loss opened, seed\|^ .*preset path-loss opened, seed'
check '6 shows what happened so far' $?
keys : && type_line 'fault path p0 down' && await '^>.* path .*path p0 down'
check 'a fault arrives, on top, and is chosen' $?
keys Down Down
await '^>.* deck  .*opened'
keys : && type_line 'mark lunch' && await ' mark .*lunch' && await '^>.* deck  .*opened'
check 'the position stays when entries arrive' $?
keys Home && await '^>.* mark .*lunch'
check 'Home follows the newest again' $?
keys / && await '^:find' && type_line p0 && await "with 'p0'" && await '^>.*path p0 down'
check '/ finds a text' $?
keys n
await "no older entry has 'p0'\|^>.*p0"
check 'n finds the next, or says that there is none' $?
keys f && await 'filter' && ! screen | grep -q 'filter all'
check 'f shows one kind only' $?
keys : && type_line 'kind mark' && await '1 entries\|1 entr' && await 'filter mark' && ! screen | grep -q '^.[0-9:.]* *path'
check ':kind names it' $?
keys : && type_line undo && keys : && type_line 'kind refused' && await 'filter refused' && await '^>.*! refused: '
check ':kind refused shows what did not work' $?
keys : && type_line 'kind all' && keys Home Enter && await 'kind [a-z]*  entry #\|of the console itself'
check 'Enter shows the whole entry' $?
keys Escape
gone 'of the console itself' && gone 'entry #'
check 'Esc closes it' $?
keys G && await '^:at' && type_line '00:00' && await '^>00:00.0'
check 'G goes to a time' $?
keys y && await '^:save' && type_line "$WORK/log.txt" && await 'written' && grep -q 'lunch' "$WORK/log.txt"
check 'y writes all of it to a file' $?
keys v && await 'TABLE of events' && await '^dropped 0' && await ' mark lunch$'
check 'v shows it as plain rows' $?
keys Tab && await 'TABLE of deck' && await '^state HELD 1/5' && await '^knob qd '
check 'Tab goes to the next view, also as plain rows' $?
keys NPage && await '^TOTAL p99 ' && keys v && await 'TOTAL ms'
check 'PgDn pages, v brings the picture back' $?
keys '?' && await 'HELP for view deck' && keys / && type_line 'plain rows' && await 'v  *plain rows for a screen reader'
check 'the help can be searched' $?
keys q && await 'HELD 1/5' && keys q
put_back 'the log' 0

# ---- small screens ----
open vt100 C 40 10 hyperpav --speed 100
await 'HELD' && keys 4 && await '^ step 1/5 READY' && keys Space && await 'step 1/5 DONE' 30 && keys Space && await '^ PREDICT'
check 'a lesson at 40x10' $?
resize 20 5 && await '^2/5 PREDICT' && keys 2 && await '^2/5 DONE 1/1' 30
check 'and at 20x5' $?
keys 6 && await 'EVENTS'
check 'the log at 20x5' $?
resize 132 43 && keys 4 && await 'DEVICE ms' && await 'REVEAL  2 is right' && await "^ + iops vs 'no alias' between"
check 'and large: both histograms and all figures' $?
keys q
put_back 'small and large' 0
finish
