#!/bin/sh
# The pictures of the README: the deck on a pseudo-terminal in virtual time, read back by libvterm, written as text and drawn as SVG and
# PNG. The same bytes every time: fixed seed, size and script. Usage: lib_pictures.sh FOLDER [text]; text: no PNG.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
out=${1:-screenshots}
what=${2:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# picture NAME SIZE TERM LOCALE GLYPHS UNTIL PRESET LINE...: deck commands, one a line; UNTIL is the clock at their end
picture() {
	name=$1 size=$2 term=$3 locale=$4 glyphs=$5 until=$6 preset=$7
	shift 7
	printf '%s\n' "$@" >"$work/$name.script"
	LC_ALL=$locale "$BUILD/tests/screens/shot" -s "$size" -t "$term" -u "$until" -q 300 -w "$out/$name.txt" -o "$work/$name.svg" -- \
		"$BUILD/iodeck" "$preset" --seed 42 --glyphs "$glyphs" --sysroot tests/fixtures/dasd/sysroot --script "$work/$name.script"
	[ "$what" = text ] || rsvg-convert "$work/$name.svg" -o "$out/$name.png"
}

picture ds5100 80x24 xterm-256color C.UTF-8 utf8 ' 00:26 ' ds5100 ':step 20s' ':set qd 10' ':step 6s'
picture ds5100-vt100 80x24 vt100 C acs ' 00:26 ' ds5100 ':step 20s' ':set qd 10' ':step 6s'
picture hyperpav 132x43 xterm-256color C.UTF-8 utf8 ' 01:07 ' hyperpav \
	':step 33s' ':set aliases 20' ':step 17s' ':set aliases 40' ':step 17s'
picture asm-rebalance 132x43 xterm-256color C.UTF-8 utf8 ' 01:10 ' asm-rebalance ':step 40s' ':add d5' ':step 30s'
picture equallogic 200x50 xterm-256color C.UTF-8 utf8 ' 01:20 ' equallogic \
	':step 30s' ':set qd 128' ':step 25s' ':set path page-owner' ':step 25s'
picture lesson 80x24 xterm-256color C.UTF-8 utf8 'REVEAL' hyperpav ':view steps' ':go' ':step 70s' ':next' ':answer 3' ':step 70s'
picture machine 80x24 xterm-256color C.UTF-8 utf8 'ssch..irq' quickstart ':view 5'
