#!/bin/sh
# The texts of the README's pictures are what the program shows now, to the byte, and the same on two runs. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

n=0
check() { # check NAME STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		bad=1
	fi
}

bad=0
tests/screens/lib_pictures.sh "$out/a" text
check 'drawn' $?
tests/screens/lib_pictures.sh "$out/b" text
check 'drawn again' $?
diff -r "$out/a" "$out/b"
check 'the same bytes on two runs' $?
for text in "$out"/a/*.txt; do
	name=$(basename "$text" .txt)
	diff -u "screenshots/$name.txt" "$text" | sed 's/^/# /'
	cmp -s "screenshots/$name.txt" "$text"
	check "$name as committed (make screenshots draws it anew)" $?
	[ -s "screenshots/$name.png" ]
	check "$name has its picture" $?
done
grep -aq '[^ -~]' "$out/a/ds5100-vt100.txt"
check 'lines of the VT100 are there' $?
echo "1..$n"
exit $bad
