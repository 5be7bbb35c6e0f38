#!/bin/sh
# Several workers on real devices: what they did together is what the devices moved, and one that goes away leaves the others at work.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

N=20001
moment randread | sed "s/number_ios.*/number_ios = $N/; s/iodepth.*/iodepth = 32/" >"$TMP/n.ini"

why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'workers on devices' "$why"
	finish
fi
a=$(loop a 64) b=$(loop b 64) c=$(loop c 64)
# sectors read so far, of all three
moved() { for d in "$a" "$b" "$c"; do awk '{ print $3 }' "/sys/block/${d#/dev/}/stat"; done; }
sleep 0.5 # whoever looks at new devices is done
for workers in 1 2 3; do
	before=$(moved)
	limited 60 run "$TMP/n.ini" --target "$a" --target "$b" --target "$c" --workers $workers
	expect "$workers workers: end well" 0
	check "$workers workers: requests" same "$(value steps.0.requests)" $N
	check "$workers workers: latencies" same "$(value steps.0.total_us.n)" $N
	check "$workers workers: the results say how many" same "$(value workers)" $workers
	check "$workers workers: sectors" same "$(moved | awk '{ n += $1 } END { print n }')" \
		"$(echo "$before" | awk -v n=$N '{ s += $1 } END { print s + n * 8 }')"
	check "$workers workers: each device has its part" same \
		"$( (echo "$before"; moved) | awk '{ x[NR] = $1 } END { for (i = 1; i <= 3; i++) n += x[i + 3] - x[i] > 0; print n }')" 3
done
check '3 workers: the table says so' holds "$out" '3 workers'

timed 3 >"$TMP/t.ini"
gone=$(loop gone.img 8)
(sleep 1 && : >"$TMP/gone.img" && losetup -c "$gone") &
limited 20 run "$TMP/t.ini" --target "$gone" --target "$a" --workers 2
expect 'a device of one worker goes away: exit status' 6
check 'it is named' holds "$TMP/j" "'$gone' went away; the other targets went on"
wait

limited 10 run "$TMP/n.ini" --target "$a" --target "$b" --workers 3
expect 'more workers than devices are refused' 1 '3 workers for 2 LUNs'
limited 10 run quickstart --workers 2
expect 'the model is refused' 2 'the model runs on one'
finish
