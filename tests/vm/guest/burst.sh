# Twenty thousand events at once: the deck goes on, says when some were lost, and knows afterwards what is there.
. /tests/lib
modprobe sd_mod
modprobe scsi_debug dev_size_mb=8 ndelay=10000000 max_queue=192 add_host=2
for disk in sda sdb; do appears /sys/block/$disk/device/queue_depth; done
sleep 1
cat >/tests/events <<'SCRIPT'
i=0
while [ $i -lt 20000 ]; do
	echo change >/sys/block/sda/uevent
	i=$((i + 1))
done
SCRIPT
drive <<SCRIPT
size 43 132
start iodeck real --target /dev/sda --kernel --glyphs ascii
wait 20 settled
shell kill -STOP \$(pidof iodeck)
shell sh /tests/events
shell echo 1 >/sys/block/sdb/device/delete
shell kill -CONT \$(pidof iodeck)
wait 20 events of the kernel were lost
wait 20 sdb removed (found by looking)
screen /out/screens
ok twenty thousand events while the deck stood still: the loss is told, what changed is found
shell sh /tests/events
send ?
within 100 HELP
send q
within 100 IOPS
shell sh /tests/lib near sda 3 100 5
ok and while it ran: keys are answered, the load goes on
shell echo '- - -' >/sys/class/scsi_host/host1/scan
wait 10 added
ok a device that comes back is told as always
send q
end 10 0
ok left in order
SCRIPT
