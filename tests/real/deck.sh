#!/bin/sh
# The deck over a real file: a storm of resizes, and a device that hangs (interposed). Keys must live on, figures stay right.
# shellcheck source=tests/tmux/lib.sh
. "$(dirname "$0")/../tmux/lib.sh"
command -v tmux >/dev/null 2>&1 || {
	echo "1..0 # SKIP no tmux"
	exit 0
}
head -c 4194304 /dev/urandom >"$WORK/file"
cat >"$WORK/r.ini" <<-INI
	# What comes back?
	[job a]
	rw = randread
	bs = 4k
	iodepth = 8
	[step one]
	run = 3s
INI

# ---- 100 SIGWINCH a second ----
open xterm-256color C.UTF-8 80 24 "$WORK/r.ini" --target "$WORK/file"
await 'HELD 1/1' && await 'REAL' && await 'IOPS *[1-9]'
check 'it runs' $?
n=0
while [ $n -lt 200 ] && kill -WINCH "$(pid)" 2>/dev/null; do
	n=$((n + 1))
	sleep 0.01
	[ $((n % 20)) -ne 0 ] || resize $((80 + n % 40)) $((24 + n % 40 / 4))
done
resize 80 24
keys d
keys + && await 'd:QD >1024<' && await 'IOPS *[1-9]' && ! screen | grep -qE '![0-9]'
check 'two hundred SIGWINCH in two seconds: it runs on, without an error' $?
keys o
keys + && await 'o:DEPTH >16<' && await 'in flight  *16'
check 'and obeys' $?
keys q
put_back 'after the storm' 0

# ---- what the figures rest on ----
open xterm-256color C.UTF-8 80 24 "$WORK/r.ini" --target "$WORK/file"
await 'REAL depth *[78]\.[0-9] of 8' && await 'own cpu *[0-9<]'
check 'depth and own cpu are shown' $?
keys q
put_back 'depth' 0
truncate -s 64M "$WORK/hole"
open xterm-256color C.UTF-8 80 24 "$WORK/r.ini" --target "$WORK/hole"
await 'HELD 1/1' && keys 6 && await 'only 0 % are written'
check 'a file of holes is in the list of events' $?
keys 1
await 'device below *<*[0-9]*% cache?'
check 'and that no device moves what is read' $?
keys q
put_back 'holes' 0

# ---- a device that hangs ----
if [ -n "${SAN:-}" ] || ! ${CC:-cc} -D_GNU_SOURCE -shared -fPIC -o "$WORK/interpose.so" tests/real/interpose.c -ldl 2>/dev/null; then
	number=$((number + 1))
	echo "ok $number - a device that hangs # SKIP no shared object can be built, or a sanitizer is in it"
	finish
fi
cat >"$WORK/hung" <<-SH
	#!/bin/sh
	LD_PRELOAD=$WORK/interpose.so INTERPOSE=hold INTERPOSE_OUT=$WORK/left exec "$IODECK" "\$@"
SH
chmod +x "$WORK/hung"
IODECK=$WORK/hung
oldest() { screen | sed -n 's/.*!8 out \([0-9]*\) s.*/\1/p'; }
open xterm-256color C.UTF-8 80 24 "$WORK/r.ini" --target "$WORK/file"
await 'no answer: 8 requests outstanding, oldest [0-9]* s' && await '!8 out [0-9]* s'
check 'it says how many and how old' $?
first=$(oldest)
keys '?'
await 'KNOBS'
check 'keys live: help opens' $?
keys '?'
await 'd:QD' && keys o && await 'o:DEPTH >8<' && keys d && await 'd:QD >1024<'
check 'keys live: a knob is chosen' $?
keys Escape
until [ "$(oldest)" -gt "$first" ] 2>/dev/null || [ "$(milliseconds)" -ge "$((${end:-0} + 15000))" ]; do sleep 0.05; done
[ "$(oldest)" -gt "$first" ]
check 'the age goes on' $?
keys :
type_line play
await 'END 1/1' 20
check 'played: it ends after its time and the grace' $?
keys q
put_back 'q with requests outstanding' 0
[ -s "$WORK/left" ]
check 'left alone it ends by itself' $?

rm -f "$WORK/left"
open xterm-256color C.UTF-8 80 24 "$WORK/r.ini" --target "$WORK/file"
await 'HELD 1/1' && await 'IOPS *[1-9]'
process=$(pid)
keys C-c
await 'before the deck'
kill -INT "$process"
put_back 'a second Ctrl-C' 130
[ ! -e "$WORK/left" ]
check 'a second Ctrl-C: it left at once' $?
finish
