#!/bin/sh
# Pages with owners on real targets. Two devices stand in for two paths of one LUN, so that the kernel's own counters tell which way each
# request went.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

# lun PATH PATH-2 POLICY [MORE-TARGET-LINES]: 1024 reads of 4 KiB over 16 pages of 64 KiB, one after the other
lun() {
	cat <<-INI
	# Who owns what?
	[target]
	a = $1
	a.2 = $2
	${4:-}
	${5:-}
	[host]
	path = $3
	[job a]
	rw = read
	bs = 4k
	size = 1m
	number_ios = 1024
	[step one]
	run = until done
	INI
}
on_path() { json "$TMP/j" "steps.0.paths.$1.requests"; }

head -c 4194304 /dev/urandom >"$TMP/a"
cp "$TMP/a" "$TMP/b"
lun "$TMP/a" "$TMP/b" page-owner 'page_size = 64k' 'owners = p0*3, p1' >"$TMP/o.ini"
run run "$TMP/o.ini" --json "$TMP/j"
expect 'page-owner on files' 0
check 'a quarter of the pages is behind p1' same "$(on_path 1)" 256
{ cat "$TMP/o.ini"; printf '[fault]\ndelay = 10us\n'; } >"$TMP/d.ini"
rm -f "$TMP/j"
run run "$TMP/d.ini" --json "$TMP/j"
expect 'page-owner behind the fault backend' 0
check 'it chooses as before' same "$(on_path 1)" 256
lun "$TMP/a" "$TMP/b" page-owner >"$TMP/n.ini"
run run "$TMP/n.ini"
expect 'without owners it is refused' 1 'nothing tells iodeck who owns a page'
lun "$TMP/a" "$TMP/b" page-owner 'page_size = 64k' 'owners = p0, p2' >"$TMP/n.ini"
run run "$TMP/n.ini"
expect 'an owner behind a path that is not there' 2 'owners in [target] names p2, but there are p0..p1'
lun "$TMP/a" "$TMP/b" page-owner 'owners = p0, p1' >"$TMP/n.ini"
run run "$TMP/n.ini"
expect 'owners without page_size' 2 'means nothing without page_size'

why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'page-owner on devices' "$why"
	finish
fi
one=$(loop one.img 8)
two=$(loop two.img 8)
sectors() { awk '{ print $3 }' "/sys/block/${1#/dev/}/stat"; }
# went POLICY TARGET-LINES... : "requests on the first, on the second" by the kernel's counters
went() {
	sleep 0.5 # whoever looks at new devices is done
	lun "$one" "$two" "$@" >"$TMP/l.ini"
	first=$(sectors "$one") second=$(sectors "$two")
	"$IODECK" run "$TMP/l.ini" >"$out" 2>"$err" || { cat "$err"; return; }
	echo "$((($(sectors "$one") - first) / 8)) $((($(sectors "$two") - second) / 8))"
}
check 'by the kernel, three of four pages on the first' same "$(went page-owner 'page_size = 64k' 'owners = p0*3, p1')" '768 256'
check 'and the other way round' same "$(went page-owner 'page_size = 64k' 'owners = p1*3, p0')" '256 768'
check 'round-robin does not look at pages' same "$(went round-robin:1 'page_size = 64k' 'owners = p0*3, p1')" '512 512'
finish
