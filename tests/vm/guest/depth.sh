# Queue depth of a SCSI disk of 10 ms, turned by keys: 100 IOPS for each place; put back at the end, and by `iodeck undo` after kill -9.
. /tests/lib
modprobe sd_mod
modprobe scsi_debug dev_size_mb=8 ndelay=10000000 max_queue=192
appears /sys/block/sda/device/queue_depth
sleep 1
echo 1 >/sys/block/sda/device/queue_depth
depth=/sys/block/sda/device/queue_depth
drive <<SCRIPT
start iodeck real --target /dev/sda --kernel --glyphs ascii --set qd=64 --set iodepth=64
wait 20 settled
shell sh /tests/lib near sda 5 100 5
ok depth 1: 100 IOPS
send :kernel sda queue_depth=32\r
wait 5 write 32 to /sys/block/sda/device/queue_depth
wait 1 y: do it
screen /out/screens
shell sh /tests/lib is $depth 1
ok the plan is shown, and nothing is written before y
send y
wait 5 queue_depth 1>32 in effect
shell sh /tests/lib is $depth 32
ok depth 32 by keys: asked, written, read back
sleep 1
shell sh /tests/lib near sda 5 3200 5
wait 20 in effect x3
screen /out/screens
ok depth 32: 3200 IOPS, and the deck says thirty-two times as much
send :kernel sda queue_depth=193\r
wait 5 outside 1..192
send :kernel sda queue_depth=32x\r
wait 5 sda queue_depth=32x
ok what the kernel would take or refuse without reason is refused with one
shell echo 16 >$depth
wait 5 is 16 now, not 32
screen /out/screens
ok a change by another program is told
shell echo 32 >$depth
send q
wait 10 put back: write 1 to
end 10 0
shell sh /tests/lib is $depth 1
shell [ ! -e /run/iodeck/undo ]
ok put back when the deck is left
start iodeck real --target /dev/sda --kernel --glyphs ascii --set qd=64 --set iodepth=64
wait 20 settled
send :kernel sda queue_depth=8\r
wait 5 y: do it
send n
wait 2 not done
shell sh /tests/lib is $depth 1
ok any other key leaves it
send :kernel sda queue_depth=8\r
wait 5 y: do it
send y
wait 5 in effect
shell kill -9 \$(pidof iodeck)
end 5 137
shell sh /tests/lib is $depth 8
start iodeck real --target /dev/sda --kernel
wait 5 iodeck undo
end 5 3
ok after kill -9 it is still changed, and a new run with --kernel says what to do
shell iodeck undo >/out/undo
shell grep -q 'put back: write 1 to' /out/undo
shell sh /tests/lib is $depth 1
shell iodeck undo | grep -q 'nothing to undo'
ok iodeck undo puts it back
start iodeck real --target /dev/sda --kernel --glyphs ascii
wait 20 settled
send :kernel sda queue_depth=8\r
wait 5 y: do it
send y
wait 5 in effect
shell kill -9 \$(pidof iodeck)
end 5 137
shell echo 5 >$depth
shell ! iodeck undo >/out/undo.foreign
shell grep -q 'something else changed it' /out/undo.foreign
shell sh /tests/lib is $depth 5
shell iodeck undo --force >/out/undo.force
shell sh /tests/lib is $depth 1
ok what another program changed since is left alone, but with --force
start iodeck real --target /dev/sda --kernel --glyphs ascii
wait 20 settled
send 5
wait 10 sda
send d
wait 5 :kernel sda queue_depth=
screen /out/screens
send 4\r
wait 5 y: do it
send y
wait 5 in effect
shell kill -TERM \$(pidof iodeck)
end 10 143
shell sh /tests/lib is $depth 1
ok a letter in view 5 begins it; SIGTERM puts it back
SCRIPT
