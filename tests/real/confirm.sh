#!/bin/sh
# The deck asks for the name of a device before it writes: what is typed, and what the device holds afterwards.
# shellcheck source=tests/tmux/lib.sh
. "$(dirname "$0")/../tmux/lib.sh"
command -v tmux >/dev/null 2>&1 || {
	echo "1..0 # SKIP no tmux"
	exit 0
}
[ "$(id -u)" = 0 ] && command -v losetup >/dev/null 2>&1 || {
	echo "1..0 # SKIP loop devices need root and losetup"
	exit 0
}
dd if=/dev/urandom of="$WORK/image" bs=1M count=4 status=none
device=$(losetup -f --show "$WORK/image" 2>/dev/null) || {
	echo "1..0 # SKIP no loop devices here"
	exit 0
}
leave() {
	T kill-server 2>/dev/null # what writes goes before its device
	losetup -d "$device"
	rm -rf "$WORK"
}
trap leave EXIT

cat >"$WORK/w.ini" <<-INI
	# What is written here?
	[job a]
	rw = randwrite
	bs = 4k
	[step one]
	run = 60s
INI
sum() { cksum <"$device"; }
# begin NAME: opens the deck, which must ask
begin() {
	name=$1
	before=$(sum)
	open xterm-256color C.UTF-8 80 24 "$WORK/w.ini" --target "$device" --write
	await 'Type the missing name'
	check "$name: it asks" $?
}
# ended NAME STATUS
ended() {
	await_file "$WORK/status" '[0-9]'
	[ "$(cat "$WORK/status")" = "$1" ]
	check "$name: exit status $1" $?
	[ "$(sum)" = "$before" ]
	check "$name: untouched" $?
}

begin 'nothing'
screen | grep -q "only when named"
check 'it says why' $?
keys Enter
ended 3

begin 'another name'
type_line /dev/loop999
await '/dev/loop999' && await 'leave:$'
check 'another name: it asks again' $?
keys Enter
ended 3

begin 'the begin of the name'
type_line "${device%?}"
await 'leave:$'
keys Enter
ended 3

begin 'Esc'
keys Escape
keys Enter
await 'leave:$'
check 'Esc: it asks again' $?
keys Enter
ended 3

begin 'end of input'
keys C-d
ended 3

begin 'Ctrl-C'
keys C-c
ended 130

# A signature is asked for as well.
mkswap "$device" >/dev/null 2>&1
begin 'the device alone'
type_line "$device"
await 'to overwrite it'
check 'the device alone: what is on it is asked for' $?
keys Enter
ended 3

begin 'both names'
type_line "$device"
await 'to overwrite it'
type_line swap
await 'HELD 1/1' && await 'REAL' && await 'IOPS *[1-9]'
check 'both names: the deck opens and writes' $?
keys q
await_file "$WORK/status" 0
check 'both names: exit status 0' $?
[ "$(sum)" != "$before" ]
check 'both names: the device was written' $?

# From the list nothing can be typed: refused with what to say.
dd if=/dev/urandom of="$device" bs=1M count=4 status=none
before=$(sum)
name='from the list'
open xterm-256color C.UTF-8 80 24 --target "$device" --write
await 'OPEN A PRESET'
keys r e a l
await '>real' && keys Enter && await 'only when named'
check 'from the list: refused' $?
keys Escape
ended 0
finish
