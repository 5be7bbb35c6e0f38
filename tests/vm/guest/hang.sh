# All paths of a map down, requests queued: knobs time out with a message, keys are answered, the deck can be left, the setting is put back later.
. /tests/lib
modprobe sd_mod
modprobe dm-multipath
modprobe scsi_debug dev_size_mb=8 ndelay=4000000 max_queue=192 add_host=2 vpd_use_hostno=0
for disk in sda sdb; do appears /sys/block/$disk/device/queue_depth; done
sleep 1
paths=$(for disk in sda sdb; do echo "$(cat /sys/block/$disk/dev) 1"; done | tr '\n' ' ')
dmsetup create mp --noudevsync --table "0 $(cat /sys/block/sda/size) multipath 1 queue_if_no_path 0 1 1 round-robin 0 2 1 $paths"
requests=$(cat /sys/block/dm-0/queue/nr_requests)
echo 8 >/sys/block/sda/device/queue_depth
drive <<SCRIPT
start iodeck real --target /dev/dm-0 --kernel --glyphs ascii --set iodepth=8
wait 20 settled
shell echo offline >/sys/block/sda/device/state
shell echo offline >/sys/block/sdb/device/state
wait 10 FAILED, 0 left
ok both paths down: told
send :kernel dm-0 nr_requests=32\r
wait 5 (! no
screen /out/screens
send y
wait 10 no answer from the kernel
screen /out/screens
ok the write does not come back: said so after the deadline
send ?
within 100 HELP
send q
within 100 IOPS
send d
within 100 QD
ok keys are answered within 100 ms
send :kernel dm-0 nr_requests=16\r
wait 5 still waiting
send \e
sleep 1
send :kernel sda queue_depth=4\r
wait 5 y: do it
send y
wait 5 queue_depth 8>4 in effect
shell sh /tests/lib is /sys/block/sda/device/queue_depth 4
ok the same device takes no more, another one does
send q
wait 20 NOT as they were
end 20 1
shell sh /tests/lib is /sys/block/sda/device/queue_depth 8
ok the deck is left; what can be put back is
shell echo running >/sys/block/sda/device/state
shell echo running >/sys/block/sdb/device/state
shell dmsetup message mp 0 reinstate_path $(cat /sys/block/sda/dev)
shell dmsetup message mp 0 reinstate_path $(cat /sys/block/sdb/dev)
sleep 5
shell ! pidof iodeck
shell cat /sys/block/dm-0/queue/nr_requests >/out/requests
shell iodeck undo >/out/undo
shell sh /tests/lib is /sys/block/dm-0/queue/nr_requests $requests
ok with a path back the process ends, and iodeck undo does the rest
SCRIPT
