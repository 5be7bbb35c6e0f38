#!/bin/sh
# `make vm-check`: every script of tests/vm/guest in a small machine of its own, two at a time. Prints TAP, last `N passed, N failed` and the time it took.
# Arguments: only these. BUILD is where iodeck was built.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
folder=$BUILD/vm
began=$(date +%s)

if [ "${1:-}" = --one ]; then
	case $2 in md) VM_MEMORY=2048 && export VM_MEMORY ;; esac
	tests/vm/boot.sh "$folder" "$2"
	echo $? >"$folder/out.$2/status"
	exit 0
fi
[ "$(uname -m)" = x86_64 ] || { echo '1..0 # SKIP the small machine is an x86-64 one'; exit 0; }
tests/vm/image.sh "$folder" || exit 2
# The longest first.
[ $# -gt 0 ] || set -- md depth paths uneven hang burst
printf '%s\n' "$@" | xargs -n 1 -P 2 "$0" --one

passed=0 failed=0 number=0
for name in "$@"; do
	out=$folder/out.$name
	status=$(cat "$out/status" 2>/dev/null || echo 100)
	plan=$(sed -n 's/^1\.\.//p' "$out/tap" 2>/dev/null)
	seen=$(grep -cE '^(not )?ok ' "$out/tap" 2>/dev/null)
	while IFS= read -r line; do
		case $line in
		"ok "* | "not ok "*)
			number=$((number + 1))
			case $line in ok*) passed=$((passed + 1)) word=ok ;; *) failed=$((failed + 1)) word='not ok' ;; esac
			echo "$word $number - $name: ${line#* - }"
			;;
		1..*) ;;
		*) echo "$line" ;;
		esac
	done 2>/dev/null <"$out/tap"
	if [ "$status" -gt 1 ] || [ "$seen" != "$plan" ]; then
		number=$((number + 1)) failed=$((failed + 1))
		echo "not ok $number - $name: came to its end"
		tail -n 5 "$out/console" "$out/emulator" 2>/dev/null | tr -d '\r' | sed 's/^/# /'
	fi
done
echo "1..$number"
echo "# $passed passed, $failed failed, $(($(date +%s) - began)) s"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
