#!/bin/sh
# Without --kernel nothing of the kernel is ever opened for writing; with it a setting of a loop device is turned and put back.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"
drive=$BUILD/tests/vm/drive
command -v strace >/dev/null 2>&1 || { echo '1..0 # SKIP no strace'; exit 0; }
strace -f -o "$TMP/try" true 2>/dev/null || { echo '1..0 # SKIP this machine does not let a process trace another'; exit 0; }
export TERM=xterm LC_ALL=C
moment randread >"$TMP/moment.ini"
timed 100 >"$TMP/long.ini"
truncate -s 1M "$TMP/target"
reason=$(no_loops)

# Opens for writing, also refused ones: below /sys, /proc/sys, of anything in /dev that is no terminal, pipe or bin; and the device mapper's control.
writes() {
	grep -hE 'O_WRONLY|O_RDWR|O_CREAT|creat\(' "$1" | grep -E '"(/sys/|/proc/sys/|/dev/)' |
		grep -vE '"/dev/(null|tty|ptmx|pts/[0-9]*)"'
	grep -h '/dev/mapper/control' "$1" | grep -E 'open'
}
no_writes() {
	found=$(writes "$1")
	[ -z "$found" ] || { echo "$found"; return 1; }
	[ -s "$1" ] || { echo 'nothing was traced'; return 1; }
}
trace() { strace -f -o "$TMP/trace" -e trace=open,openat,creat,mknod,mknodat "$@"; }

deck() { # deck ARGUMENT...: keys come from stdin
	{
		echo "start strace -f -o $TMP/trace -e trace=open,openat,creat,mknod,mknodat $IODECK $*"
		cat
	} | "$drive" >"$out" 2>"$err"
}

trace "$IODECK" run quickstart --runtime 1s >"$out" 2>"$err"
check 'a run on the model opens nothing of the kernel for writing' no_writes "$TMP/trace"
trace "$IODECK" run "$TMP/moment.ini" --target "$TMP/target" >"$out" 2>"$err"
check 'a run on a file neither' no_writes "$TMP/trace"
trace "$IODECK" undo >"$out" 2>"$err"
check 'nor undo when there is nothing to undo' no_writes "$TMP/trace"
deck "$TMP/long.ini" --target "$TMP/target" --glyphs ascii <<-'KEYS'
	wait 30 IOPS
	send :kernel sda queue_depth=1\r
	wait 10 start with --kernel
	ok refused
	send \e
	sleep 1
	send q
	end 20 0
	ok left
KEYS
check 'the deck refuses :kernel without --kernel' cat "$out"
check 'and opens nothing for writing' no_writes "$TMP/trace"

if [ -n "$reason" ]; then
	skipped 'with --kernel a setting is turned and put back' "$reason"
	finish
fi
disk=$(loop one 1)
name=$(basename "$disk")
was=$(cat "/sys/block/$name/queue/nr_requests")
trace "$IODECK" run "$TMP/moment.ini" --target "$disk" >"$out" 2>"$err"
check 'reading a block device opens nothing for writing' no_writes "$TMP/trace"
deck quickstart --kernel --glyphs ascii <<-KEYS
	wait 30 IOPS
	send :kernel $name nr_requests=64\\r
	wait 10 y: do it
	shell [ \$(cat /sys/block/$name/queue/nr_requests) = $was ]
	ok shown first
	send y
	wait 10 nr_requests $was>64 in effect
	shell [ \$(cat /sys/block/$name/queue/nr_requests) = 64 ]
	ok done
	send q
	end 20 0
	ok left
KEYS
check 'with --kernel a setting is turned' grep -q 'ok 3' "$out"
check 'and put back' test "$(cat "/sys/block/$name/queue/nr_requests")" = "$was"
check 'and this trace would have seen a write' sh -c "grep -q 'sys/block/$name/queue/nr_requests.*O_WRONLY' '$TMP/trace'"
check 'nothing else was opened for writing' test -z "$(writes "$TMP/trace" | grep -v "/sys/block/$name/queue/nr_requests")"
check 'the journal is gone' test ! -e /run/iodeck/undo
finish
