#!/bin/sh
# boot.sh FOLDER TEST: one run of the small machine; results in FOLDER/out.TEST. Time inside is counted in instructions, so that
# rates do not depend on how busy this machine is. Exit status: that of the test, 100 when it did not come to its end.
set -u
folder=$1 name=$2
result=$folder/out.$name
rm -rf "$result"
mkdir -p "$result"
truncate -s 16M "$result/disk"
timeout -k 5 "${VM_TIMEOUT:-300}" qemu-system-x86_64 -M q35,accel=tcg -cpu Nehalem -m "${VM_MEMORY:-384}" -smp 1 \
	-icount shift=0,sleep=off -nographic -nodefaults -serial stdio -no-reboot \
	-kernel "$folder/kernel" -initrd "$folder/initrd" \
	-drive "file=$result/disk,format=raw,if=none,id=o" -device virtio-blk-pci,drive=o \
	-append "console=ttyS0 quiet panic=-1 no_timer_check mitigations=off vmtest=$name" \
	</dev/null >"$result/console" 2>"$result/emulator"
rc=$(tr -d '\r' <"$result/console" | sed -n 's/^VM-TEST-RC=\([0-9]*\)$/\1/p')
[ -n "$rc" ] || exit 100
tar -xf "$result/disk" -C "$result" --strip-components=1 2>/dev/null
rm -f "$result/disk"
exit "$rc"
