#!/bin/sh
# Scripts, pasted text, characters and colours asked for. Prints TAP.
# shellcheck source=tests/tmux/lib.sh
. "$(dirname "$0")/lib.sh"
command -v tmux >/dev/null 2>&1 || {
	echo "1..0 # SKIP no tmux"
	exit 0
}

# ---- time by hand: the same script gives the same picture ----
for turn in 1 2; do
	cat >"$WORK/hand.deck" <<-SCRIPT
		# the story of the queue depth
		:step 5s
		key d +
		:step 5s
		:undo
		:step 5s
		key : s e t space q d space 1 0 Enter
		:step 250ms
		:wait settled
		:wait 3 QD 1>10 x16
		:shot $WORK/hand$turn.txt
		:quit
	SCRIPT
	open xterm-256color C.UTF-8 80 24 ds5100 --script "$WORK/hand.deck"
	put_back "script by hand, turn $turn" 0
done
cmp "$WORK/hand1.txt" "$WORK/hand2.txt"
check 'the same script, the same picture' $?
grep -q 'd:QD >10< (1)' "$WORK/hand1.txt" && grep -q 'IOPS 24\.[0-9]k  x16' "$WORK/hand1.txt"
check 'time went on only by :step and :wait' $?

# ---- time by the wall, and a script that goes wrong ----
cat >"$WORK/wall.deck" <<-SCRIPT
	:wait HELD 1/
	:set qd 2
	:wait >2<
	:mark here
	:wait here
	:quit
SCRIPT
open vt100 C 80 24 quickstart --script "$WORK/wall.deck"
put_back 'script by the wall clock' 0
printf ':step 1s\n:set qd 2\n:set qd many\n:quit\n' >"$WORK/bad.deck"
open xterm-256color C.UTF-8 80 24 quickstart --script "$WORK/bad.deck"
put_back 'a script that is wrong' 1
screen | tr -d '\n' | grep -q "bad.deck:3: qd many"
check 'it says where and why, on the main screen' $?
printf 'key d Nonsense\n' >"$WORK/bad.deck"
open xterm-256color C.UTF-8 80 24 quickstart --script "$WORK/bad.deck"
put_back 'a key that is none' 1
open xterm-256color C.UTF-8 80 24 quickstart --script "$WORK/absent.deck"
put_back 'a script that is not there' 2
open xterm-256color C.UTF-8 80 24 absent
put_back 'a preset that is not there' 2

# ---- pasted text is no command ----
open xterm-256color C.UTF-8 80 24 quickstart
await 'HELD 1/'
T set-buffer 'qqq:quit
q'
T paste-buffer -p -t deck
await 'pasted text was dropped'
check 'pasted text is dropped where no line is open' $?
keys : && await '^:' && T set-buffer 'set qd 4' && T paste-buffer -p -t deck && await '^:set qd 4'
check 'on an open line it is text' $?
keys Enter && await 'QD >4<'
check 'and then a command' $?

# ---- an unknown sequence and Alt with a key are no commands ----
T send-keys -t deck M-q
T send-keys -t deck -l "$(printf '\033[99~')"
keys d && await 'QD: commands' && running "$(pid)"
check 'Alt-q and unknown sequences do nothing' $?
keys q
put_back 'after pasting' 0

# ---- characters and colours ----
open xterm-256color C.UTF-8 80 24 quickstart --glyphs ascii --colours mono
await 'settled'
! screen | LC_ALL=C grep -q '[^ -~]'
check '--glyphs ascii: no byte above 127' $?
! T capture-pane -p -e -t deck | grep -q "$(printf '\033')\[[0-9;]*\(3[0-7]\|38;5;[0-9]*\)m"
check '--colours mono: no colour' $?
keys g && await 'glyphs utf8' && screen | LC_ALL=C grep -q '[^ -~]'
check 'g changes the characters' $?
keys : && type_line 'colours safe' && await 'colours safe' &&
	T capture-pane -p -e -t deck | grep -q "$(printf '\033')\[[0-9;]*38;5;32m"
check ':colours safe colours the marks' $?
keys : && type_line version && await 'TERM=xterm-256color codeset=UTF-8'
check ':version tells what was decided' $?
keys q
put_back 'after colours' 0
finish
