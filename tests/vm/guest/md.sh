# A mirror whose copies are compared (md's check, the resync of copies that agree already, so that reads use both disks in all windows) under load: power 4
# costs the load something and moves the check, power 0 stops it. Windows of 30 s, as md averages its speed over about that time.
. /tests/lib
modprobe sd_mod
modprobe raid1
modprobe scsi_debug dev_size_mb=700 ndelay=8000000 max_queue=192 add_host=2 per_host_store=1
for disk in sda sdb; do appears /sys/block/$disk/device/queue_depth; done
sleep 1
echo 2 >/sys/block/sda/device/queue_depth
echo 2 >/sys/block/sdb/device/queue_depth
mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none --assume-clean /dev/sda /dev/sdb >/out/mdadm 2>&1
cat /proc/mdstat >/out/mdstat
echo 12000 >/sys/block/md0/md/sync_speed_max # so that it does not come to its end within the windows
speed=/sys/block/md0/md/sync_speed_min
# KiB done, by /proc/mdstat; empty while nothing runs.
cat >/tests/resynced <<'SCRIPT'
sed -n 's/.*(\([0-9]*\)\/[0-9]*).*/\1/p' /proc/mdstat | head -n 1
SCRIPT
drive <<SCRIPT
start iodeck real --target /dev/md0 --kernel --glyphs ascii --set iodepth=8
wait 20 settled
shell sh /tests/lib is $speed '1000 (system)'
shell sh /tests/lib rate md0 30 >/out/off
send :kernel md0 power=4\r
wait 5 write 4000 to $speed
send y
wait 5 power system's own>4 in effect
shell sh /tests/lib is $speed '4000 (local)'
shell echo check >/sys/block/md0/md/sync_action
sleep 5
shell sh /tests/resynced >/out/before
shell sh /tests/lib rate md0 30 >/out/on
shell sh /tests/resynced >/out/after
screen /out/screens
shell echo "# foreground \$(cat /out/off) then \$(cat /out/on) a second, resync \$((\$((\$(cat /out/after) - \$(cat /out/before))) / 30)) KiB/s"
shell cat /out/off /out/on | xargs | awk '{ exit !(\$2 < 0.97 * \$1) }'
shell [ \$((\$(cat /out/after) - \$(cat /out/before))) -gt 60000 ]
ok power 4: the load gets less, the resync moves at more than 2000 KiB/s
send :kernel md0 power=0\r
wait 5 write frozen to /sys/block/md0/md/sync_action
send y
wait 5 power 4>0 in effect
shell sh /tests/lib is /sys/block/md0/md/sync_action frozen
sleep 2
shell [ -z "\$(sh /tests/resynced)" ]
shell sh /tests/lib near md0 10 "\$(cat /out/off)" 5
ok power 0: it stands still, and the load has all again
send q
wait 10 put back
end 10 0
shell sh /tests/lib is $speed '1000 (system)'
shell [ "\$(cat /sys/block/md0/md/sync_action)" = idle ]
ok it follows the system's own value again, and is not frozen
SCRIPT
