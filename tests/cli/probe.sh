#!/bin/sh
# `iodeck probe`: equal to what lsdasd and dasdstat printed from the same tree, its forms, and that it opens nothing else and writes nothing.
. "$(dirname "$0")/lib.sh"

fixtures=$PWD/tests/fixtures/dasd
tree=$fixtures/sysroot

run probe --sysroot "$tree" --interval 0 --json "$TMP/dasd.json"
expect 'probe looks at the DASD tree' 0
value() { json "$TMP/dasd.json" "$1"; }

# ---- lsdasd -u -a: bus id, name or role, UID ----
devices() {
	n=$(value 'dasd.devices.#')
	for i in $(seq 0 $((n - 1))); do
		role=$(value "dasd.devices.$i.role") uid=$(value "dasd.devices.$i.uid")
		case $role in base) name=$(value "dasd.devices.$i.name") ;; *) name=$role ;; esac
		[ "$uid" != null ] || uid=
		echo "$(value "dasd.devices.$i.busid") $name $uid"
	done | sed 's/ *$//' | sort
}
printed() { sed -n '/^[0-9]/p' "$1" | tr -s ' ' | sed 's/ *$//' | sort; }
check 'devices, names and UIDs as lsdasd -u -a printed them' same "$(devices)" "$(printed "$fixtures/lsdasd-u-a.txt")"
check 'eight devices were compared' same "$(devices | wc -l)" 8
check 'those online as lsdasd -u printed them' same "$(devices | grep -v offline)" "$(printed "$fixtures/lsdasd-u.txt")"

# LCUs counted from what lsdasd printed: bases have a name, aliases the word; a HyperPAV alias ends in .xx.
lcus_of_lsdasd() {
	printed "$fixtures/lsdasd-u.txt" | awk '
		{ lcu = $3; sub(/[.][^.]*$/, "", lcu); seen[lcu] = 1; if ($2 == "alias") a[lcu]++; else b[lcu]++; if ($3 ~ /[.]xx$/) h[lcu] = 1 }
		END { for (l in seen) print l, b[l] + 0, a[l] + 0, h[l] ? "hyperpav" : a[l] ? "pav" : "none" }' | sort
}
lcus() {
	for i in $(seq 0 $(($(value 'lcus.#') - 1))); do
		echo "$(value "lcus.$i.uid") $(value "lcus.$i.bases") $(value "lcus.$i.aliases") $(value "lcus.$i.mode")"
	done | sort
}
check 'the events of a tree are not those of this machine' same "$(value events.state) $(value 'events.list.#')" 'disabled 0'
check 'and it says why' same "$(value events.reason)" 'not listened to: the sample is of a tree, not of this machine'
check 'LCUs, bases, pool sizes and modes as in lsdasd -u' same "$(lcus)" "$(lcus_of_lsdasd)"
check 'e900 is HyperPAV with two bases and a pool of two' same "$(lcus | head -n 1)" 'IBM.75000000092461.e900 2 2 hyperpav'

# ---- dasdstat: counters and six histograms ----
# statistics NAME: that object of the document, on one line
statistics() { grep -o "\"name\": \"$1\", \"from\".*" "$TMP/dasd.json" | sed 's/"name": "[^"]*", "from"/\n&/2; s/\n.*//'; }
numbers() { statistics "$1" | grep -o "\"since_on\".*" | grep -o "\"$2\": \[[^]]*\]" | head -n 1 | sed 's/.*\[//; s/\]//' | tr -d ','; }
counter() { statistics "$1" | grep -o "\"$2\": [0-9]*" | head -n 1 | grep -o '[0-9]*$'; }
# The two rows of 16 numbers below a title, of the first block of the file.
below() { awk -v title="$2" 'index($0, title) == 1 && !done { on = 1; next } on && /^ *[0-9][0-9 ]*$/ { printf "%s ", $0; if (++n == 2) { done = 1; on = 0 } } on && /^[A-Z#]/ { on = 0 }' "$1" | tr -s ' ' | sed 's/^ //; s/ $//'; }
one_histogram() { # NAME FILE TITLE KEY
	want=$(below "$2" "$3")
	[ "$(echo "$want" | wc -w)" -eq 32 ] || { echo "no 32 numbers below '$3'"; return 1; }
	same "$(numbers "$1" "$4")" "$want"
}
for pair in global:dasdstat_global.txt dasda:dasdstat-l_dasda.txt; do
	name=${pair%:*} file=$fixtures/${pair#*:}
	check "$name: sizes as dasdstat printed them" one_histogram "$name" "$file" 'Histogram of sizes' histogram_sectors
	check "$name: total" one_histogram "$name" "$file" 'Histogram of I/O times (micro' histogram_io_times
	check "$name: waiting in the host" one_histogram "$name" "$file" 'Histogram of I/O time till ssch' histogram_time_build_to_ssch
	check "$name: device" one_histogram "$name" "$file" 'Histogram of I/O time between ssch and irq' histogram_time_ssch_to_irq
	check "$name: end" one_histogram "$name" "$file" 'Histogram of I/O time between irq and end' histogram_time_irq_to_end
	check "$name: queue" one_histogram "$name" "$file" '# of req in chanq at enqueuing' histogram_ccw_queue_length
	check "$name: requests" same "$(counter "$name" total_requests)" "$(awk '/dasd I.O requests/ { print $1; exit }' "$file")"
	check "$name: sectors" same "$(counter "$name" total_sectors)" "$(awk '/^with/ { print $2; exit }' "$file")"
	check "$name: started on an alias" same "$(counter "$name" total_pav)" "$(awk '/PAV alias/ { print $1; exit }' "$file")"
done
check 'the table shows the histograms side by side' grep -qE '^ +512 us +7288 +2391 +9986$' "$out"
check 'a statistic that is off is named, not shown as 0' grep -qF 'switched off: 0.0.7500' "$out"

# ---- forms ----
run probe --sysroot "$tree" --interval 100ms --count 3 --json - --csv "$TMP/three.csv"
expect 'three samples' 0
check 'one object a line' same "$(wc -l <"$out")" 3
head -n 1 "$out" >"$TMP/first.json"
check 'the first is already of an interval' same "$(json "$TMP/first.json" interval_s | cut -c 1-3)" 0.1
check 'a row a device and sample' same "$(wc -l <"$TMP/three.csv")" 10
check 'every row has as many fields as the head' same "$(awk -F, '{ print NF }' "$TMP/three.csv" | sort -u | wc -l)" 1
check 'unknown is empty' grep -qE '^[0-9]+,0\.1[0-9]*,dasda,dasd,active,,,,,' "$TMP/three.csv"
check 'events not heard are not counted as none' same "$(awk -F, 'NR > 1 { print $NF }' "$TMP/three.csv" | tr -d '\r' | sort -u)" ''
run probe --sysroot "$tree" --interval 0
check 'the table says that events are not listened to' grep -qE '^events +disabled ' "$out"
run probe --sysroot "$tree" --interval 0 --line
check 'so do the lines' grep -qE '^events +disabled ' "$out"
check 'lines have at most 79 columns' same "$(awk 'length > 79' "$out")" ''
check 'lines name the LCUs' grep -q 'LCU IBM.75000000092461.e900 hyperpav' "$out"
run probe --interval 100ms --count 2 --json -
expect 'two samples of this machine' 0
head -n 1 "$out" >"$TMP/here.json"
listens() { # a list where the kernel's events can be had; else why not
	case $(json "$TMP/here.json" events.state) in
	ok | malformed) [ "$(json "$TMP/here.json" 'events.list.#')" -ge 0 ] && [ "$(json "$TMP/here.json" events.left_out)" -ge 0 ] ;;
	unreadable) [ "$(json "$TMP/here.json" events.reason)" != null ] ;;
	*) return 1 ;;
	esac
}
check 'the events of this machine are listened to, or it says why not' listens
run probe --sysroot "$TMP/none"
expect 'a root that is not there' 2 "cannot use $TMP/none in place of /"
run probe --interval 10ms
expect 'an interval that is too short' 2 '100ms..1d'
run probe --count 0
expect 'no samples' 2 'must be above 0'
run --kernel --sysroot "$tree" quickstart
expect 'knobs of the kernel beside another root' 2 'nothing is ever written'

# ---- trees that mean harm ----
evil=$TMP/evil
mkdir -p "$evil/proc" "$evil/sys/block/$(printf 'sd\033[31ma')"
: >"$evil/proc/diskstats"
for form in '' --line '--csv -' '--json -'; do
	run probe --sysroot "$evil" --interval 0 $form
	check "a name with control characters is told ${form:-in the table}" grep -q 'sd?\[31ma' "$out"
	check "and they stay out of it ${form:-there}" same "$(tr -d '\r\n\t -~\200-\377' <"$out" | wc -c)" 0
done
rm "$evil/proc/diskstats"
mkfifo "$evil/proc/diskstats"
run probe --sysroot "$evil" --json -
check 'a pipe in place of a file is unreadable' same "$(json "$out" sources.block.state)" unreadable

# ---- what is opened ----
if ! command -v strace >/dev/null 2>&1 || ! strace -o "$TMP/trace" true 2>/dev/null; then
	skipped 'nothing but the tree is opened, nothing is written' 'strace cannot trace here'
elif case ${SAN:-} in '') false ;; *) true ;; esac; then
	skipped 'nothing but the tree is opened, nothing is written' 'the sanitizer opens files of its own'
else
	# Every call that opens by name, or changes something by name.
	calls=open,openat,openat2,creat,mkdir,mkdirat,unlink,unlinkat,rename,renameat,renameat2,symlink,symlinkat,link,linkat,mknod,mknodat,truncate,socket,connect
	strace -f -y -e trace=$calls,write -o "$TMP/real" "$IODECK" probe --interval 100ms --count 2 >/dev/null 2>&1
	check 'this machine was looked at' grep -qE 'openat2?\(.*"(sys/block|proc/diskstats)"' "$TMP/real"
	opened_for_writing() { grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|creat\(' "$1" | grep -vE '= -1 ENOENT|"/dev/null"|"/dev/mapper/control"'; }
	check 'nothing is opened for writing' same "$(opened_for_writing "$TMP/real")" ''
	written() { grep 'write(' "$1" | grep -vE 'write\([12]<'; }
	check 'only what it says is written' same "$(written "$TMP/real" | grep -v 'anon_inode')" ''
	deck() { # deck TRACE UNTIL OPTIONS...: view 5 on a pseudo-terminal until the text is seen
		trace=$1 until=$2
		shift 2
		printf ':view 5\n:wait %s\n:quit\n' "$until" >"$TMP/script"
		LC_ALL=C.UTF-8 timeout 60 "$BUILD/tests/screens/shot" -s 80x24 -t xterm-256color -q 20000 -o "$TMP/deck.svg" -- \
			strace -f -y -e trace=$calls -o "$trace" "$IODECK" quickstart --script "$TMP/script" "$@"
	}
	check 'view 5 of the deck looks at this machine' deck "$TMP/deck" 'rates of'
	check 'its trace has what it looked at' grep -qE 'openat2?\(.*"(sys/block|proc/diskstats)"' "$TMP/deck"
	check 'view 5 opens nothing of the machine for writing' same "$(opened_for_writing "$TMP/deck" | grep -E '/sys|"sys/|/proc|"proc/|/dev/[^nt]')" ''
	check 'view 5 looks at another root' deck "$TMP/deck2" 'ssch..irq' --sysroot "$tree"
	check 'and then at no other' same "$(grep -E '"/?(sys|proc)/' "$TMP/deck2" | grep -vE "openat2\([0-9]+<[^>]*sysroot[^>]*>.*RESOLVE_IN_ROOT|/proc/filesystems|/proc/self/(exe|fd/)")" ''
	strace -f -y -e trace=$calls -o "$TMP/tree" "$IODECK" probe --sysroot "$tree" --interval 100ms --count 2 >/dev/null 2>&1
	check 'the tree was looked at' grep -qE 'openat2\([0-9]+<[^>]*sysroot>, "proc/dasd/devices".*RESOLVE_IN_ROOT' "$TMP/tree"
	# By an absolute name only what libraries open for themselves (libc: libraries, locales, time zone; libselinux, below libdevmapper, asks
	# /proc/filesystems when it is loaded; libnl its class names), and the root itself; below the root by RESOLVE_IN_ROOT only.
	outside() { grep -E 'open' "$1" | grep -vE "openat2\([0-9]+<[^>]*sysroot[^>]*>.*RESOLVE_IN_ROOT|\"$tree\"|\"(/usr)?/(lib|lib64|etc/ld|usr/(lib|share)|.*locale)|\"/dev/null\"|ld\.so|\"/proc/filesystems\"|\"/etc/(localtime|libnl/)|zoneinfo"; }
	check 'nothing outside the tree is opened' same "$(outside "$TMP/tree")" ''
	check 'no socket is opened' same "$(grep -E 'socket\(' "$TMP/tree")" ''
	check 'nothing is opened for writing there' same "$(opened_for_writing "$TMP/tree")" ''
fi
finish
