#!/bin/sh
# The same preset, seed and settings give the same results to the bit, whatever the compiler and its level.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Builds go on beside each other; each is a whole program in a folder of its own.
builds=
for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null 2>&1; then
		skipped "builds with $compiler" "no $compiler on this machine"
		continue
	fi
	for level in 0 3; do
		builds="$builds $compiler-O$level"
	done
done
folder=$BUILD/det
# The folder of a sanitizer build would find its way into these; they are plain builds.
for build in $builds; do
	if ! make -s -j2 all BUILD="$folder/$build" SAN= CC="${build%-O*}" CFLAGS="-O${build#*-O}" \
		WARNINGS=-w CI= >"$TMP/$build.log" 2>&1; then
		failed "build $build" "$(tail -n 5 "$TMP/$build.log")"
	fi
done

# NAME ARGS...: the JSON of all builds.
compare() {
	name=$1
	shift
	first=
	for build in $builds; do
		"$folder/$build/iodeck" run "$@" --json "$TMP/$build.json" --csv "$TMP/$build.csv" --force >/dev/null 2>"$err"
		status=$?
		if [ $status -ne 0 ] && [ $status -ne 5 ]; then
			failed "$name: $build runs" "exit status $status: $(cat "$err")"
		elif [ -z "$first" ]; then
			first=$build
			check "$name: $build gives a whole document" json "$TMP/$build.json"
		else
			check "$name: $build gives the JSON of $first" cmp "$TMP/$first.json" "$TMP/$build.json"
			check "$name: $build gives the CSV of $first" cmp "$TMP/$first.csv" "$TMP/$build.csv"
		fi
	done
}
compare hyperpav presets/hyperpav.ini --runtime 2s
compare 'hyperpav, other seed and knobs' presets/hyperpav.ini --runtime 1s --seed 99 --set aliases=7 --set think=3ms
compare ds5100 presets/ds5100.ini --steps 'depth 1,depth 10'
finish
