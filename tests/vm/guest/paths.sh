# A multipath map of four paths: selectors swapped under load, a path failed and reinstated, a device that goes and comes back.
. /tests/lib
modprobe sd_mod
modprobe dm-multipath
modprobe scsi_debug dev_size_mb=8 ndelay=4000000 max_queue=192 add_host=4 vpd_use_hostno=0
for disk in sda sdb sdc sdd; do appears /sys/block/$disk/dev; done
sleep 1
paths=$(for disk in sda sdb sdc sdd; do echo "$(cat /sys/block/$disk/dev) 1"; done | tr '\n' ' ')
dmsetup create mp --noudevsync --table "0 $(cat /sys/block/sda/size) multipath 0 0 1 1 round-robin 0 4 1 $paths"
second=$(cat /sys/block/sdb/dev)
selector() { dmsetup table mp | tr ' ' '\n' | grep -E 'round-robin|queue-length|service-time'; }
drive <<SCRIPT
size 43 132
start iodeck real --target /dev/dm-0 --kernel --glyphs ascii --set iodepth=16
wait 20 settled
shell sh /tests/lib near dm-0 3 4000 5
ok four paths of 4 ms, sixteen requests: 4000 IOPS
send :kernel mp selector=queue-length\r
wait 5 load another table into dm-0
screen /out/screens
send y
wait 5 selector round-robin:1>queue-length in effect
shell dmsetup table mp | grep -q queue-length
send :kernel mp selector=service-time\r
wait 5 y: do it
send y
wait 5 selector queue-length>service-time in effect
shell dmsetup table mp | grep -q service-time
send :kernel mp selector=round-robin:1000\r
wait 5 y: do it
send y
wait 5 selector asked round-robin:1000, in effect round-robin:1
screen /out/screens
shell dmsetup table mp | grep -q 'round-robin 0 4 1 [0-9:]* 1 '
gone 1 error
shell sh /tests/lib near dm-0 3 4000 5
ok selectors swapped under load without a failed request; 1000 asked is 1 in effect
send :kernel mp selector=historical\r
wait 5 one of round-robin
ok an unknown selector is refused before the kernel hears of it
send :kernel mp fail=sdb\r
wait 5 fail path dm-0 $second
send y
wait 5 sdb failed in effect
wait 5 mp: path $second FAILED, 3 left
wait 5 longest gap
screen /out/screens
shell dmsetup status mp | grep -q '$second F 1'
ok a path failed by command: event and gap in ms on the screen
send :kernel mp reinstate=sdb\r
wait 5 y: do it
send y
wait 5 mp: path $second reinstated, 4 left
shell dmsetup status mp | grep -q '$second A 1'
ok and reinstated
shell echo offline >/sys/block/sdc/device/state
wait 10 FAILED, 3 left
gone 1 error
screen /out/screens
shell echo running >/sys/block/sdc/device/state
shell dmsetup message mp 0 reinstate_path $(cat /sys/block/sdc/dev)
wait 10 reinstated, 4 left
ok a path that really fails: event, no failed request
shell echo 1 >/sys/block/sdd/device/delete
wait 10 sdd removed
ok a device that is taken away is told
send :kernel mp stats=on\r
wait 5 is a multipath map
ok statistics that the kernel keeps wrong for multipath maps are refused
send :kernel mp fail=9:9\r
wait 5 no such path
ok a path the map does not have is refused
send q
wait 10 put back
end 10 0
shell dmsetup table mp | grep -q round-robin
ok the table is as it was
SCRIPT
