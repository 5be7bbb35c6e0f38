# Three paths of 2 ms and one of 10 ms (null_blk): queue-length gives more than 1.4 times what round-robin gives; and a dm-switch over the same.
. /tests/lib
modprobe configfs
mount -t configfs none /sys/kernel/config 2>/dev/null
modprobe null_blk nr_devices=0
modprobe dm-multipath
modprobe dm-switch
for i in 0 1 2 3; do
	place=/sys/kernel/config/nullb/p$i
	mkdir $place
	echo 2 >$place/irqmode
	echo $([ $i = 3 ] && echo 10000000 || echo 2000000) >$place/completion_nsec
	echo 64 >$place/hw_queue_depth
	echo 8 >$place/size
	echo 1 >$place/memory_backed
	echo 1 >$place/power
done
ls /sys/block >/out/disks
disks=$(ls /sys/block | grep -E '^(nullb|p)[0-9]')
paths=$(for disk in $disks; do echo "$(cat /sys/block/$disk/dev) 1"; done | tr '\n' ' ')
switch=$(for disk in $disks; do echo "$(cat /sys/block/$disk/dev) 0"; done | tr '\n' ' ')
dmsetup create mp --noudevsync --table "0 16384 multipath 0 0 1 1 round-robin 0 4 1 $paths"
first=$(echo $disks | cut -d' ' -f1) last=$(echo $disks | cut -d' ' -f4)
drive <<SCRIPT
start iodeck real --target /dev/$first --glyphs ascii --set iodepth=4
wait 20 settled
shell sh /tests/lib near $first 3 2000 5
send q
end 10 0
ok null_blk of 2 ms, four requests: 2000 IOPS
start iodeck real --target /dev/dm-0 --kernel --glyphs ascii --set iodepth=16
wait 20 settled
shell sh /tests/lib rate dm-0 4 >/out/round-robin
send :kernel dm-0 selector=queue-length\r
wait 5 y: do it
send y
wait 5 round-robin:1>queue-length in effect
sleep 1
shell sh /tests/lib rate dm-0 4 >/out/queue-length
shell echo "# round-robin \$(cat /out/round-robin), queue-length \$(cat /out/queue-length)"
shell cat /out/round-robin /out/queue-length | xargs | awk '{ exit !(\$2 > 1.4 * \$1) }'
wait 20 selector +
screen /out/screens
send q
end 10 0
ok queue-length beats round-robin by more than 1.4 times
shell dmsetup remove mp
shell dmsetup create sw --noudevsync --table "0 16384 switch 4 128 0 $switch"
start iodeck real --target /dev/dm-0 --kernel --glyphs ascii --set iodepth=16
wait 20 settled
shell sh /tests/lib rate dm-0 4 >/out/switch-even
send :kernel sw map=0,1,2\r
wait 5 lay 0,1,2 over all regions of dm-0
send y
wait 5 map 0,1,2,3>0,1,2
sleep 1
shell sh /tests/lib rate $last 2 >/out/switch-slow
shell sh /tests/lib rate dm-0 4 >/out/switch-three
shell echo "# switch \$(cat /out/switch-even), without the slow path \$(cat /out/switch-three), on it \$(cat /out/switch-slow)"
shell awk '{ exit !(\$1 == 0) }' /out/switch-slow
shell cat /out/switch-even /out/switch-three | xargs | awk '{ exit !(\$2 > 1.4 * \$1) }'
send :kernel sw stats=on\r
wait 5 keep a histogram of latencies in dm-0
send y
wait 5 stats off>on in effect
sleep 3
shell dmsetup message sw 0 @stats_print 0 >/out/stats
shell awk '{ split(\$NF, h, ":"); for (i in h) n += h[i]; ms = \$5 / \$2 / 1e6; printf "# the device mapper: %d reads, mean %.2f ms, %d in the histogram, %d of 2 to 4 ms\\n", \$2, ms, n, h[6]; exit !(\$2 > 5000 && n == \$2 && h[6] > 0.9 * n && ms > 1.9 && ms < 2.2) }' /out/stats
wait 2 p50 2.0
ok the device mapper's own histogram agrees with iodeck's: 2 ms
send :kernel sw map=0,4\r
wait 5 0..3
ok the regions of a dm-switch leave the slow path
send q
end 10 0
ok put back
SCRIPT
