#!/bin/sh
# The pictures of the README: the deck on a pseudo-terminal in virtual time, read back by libvterm, drawn as SVG and PNG. The same bytes
# every time: fixed seed, size and script. Usage: lib_pictures.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
out=${1:-screenshots}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

picture() { # picture NAME SIZE PRESET LINE...: deck commands, one a line
	name=$1 size=$2 preset=$3
	shift 3
	printf '%s\n' "$@" >"$work/script"
	LC_ALL=C.UTF-8 "$BUILD/tests/screens/shot" -s "$size" -t xterm-256color -q 1500 -o "$work/$name.svg" -- \
		"$BUILD/iodeck" "$preset" --seed 42 --glyphs utf8 --script "$work/script"
	rsvg-convert "$work/$name.svg" -o "$out/$name.png"
}

picture ds5100 80x24 ds5100 ':step 20s' ':set qd 10' ':step 6s'
picture hyperpav 120x36 hyperpav ':step 20s' ':set aliases 20' ':step 10s' ':set aliases 40' ':step 10s'
picture asm-rebalance 80x24 asm-rebalance ':step 15s' ':add d5' ':step 20s'
picture equallogic 80x24 equallogic ':step 15s' ':set qd 128' ':step 10s' ':set path page-owner' ':step 10s'
