#!/bin/sh
# What must not be touched is not touched: each refusal ends with 3, one line with the reason, and every byte as before; each with the
# same command on a free device beside it, which works.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

moment randwrite >"$TMP/w.ini"
moment randread >"$TMP/r.ini"

# refused NAME REASON TARGET ARGS...: what the device holds must stay
refused() {
	name=$1 reason=$2 target=$3
	shift 3
	before=$(sum "$target" 2>/dev/null)
	run run "$TMP/w.ini" --target "$target" "$@"
	expect "$name is refused" 3 "$reason"
	check "$name: one line" same "$(wc -l <"$err" | tr -d ' ')" 1
	check "$name: untouched" same "$(sum "$target" 2>/dev/null)" "$before"
}
# allowed NAME TARGET ARGS...
allowed() {
	name=$1 target=$2
	shift 2
	before=$(sum "$target")
	run run "$TMP/w.ini" --target "$target" "$@"
	expect "$name works" 0
	check "$name was written" test "$(sum "$target")" != "$before"
}

# ---- files and things that are no devices: no root needed ----
head -c 1048576 /dev/urandom >"$TMP/file"
refused 'writing without --write' 'reading is the default' "$TMP/file"
allowed 'a file' "$TMP/file" --write
mkdir "$TMP/folder" && mkfifo "$TMP/fifo" && : >"$TMP/empty" && ln -s "$TMP/file" "$TMP/link"
for what in "folder|it is a directory" "fifo|it is a FIFO" "empty|it holds 0 bytes" "none|it does not exist"; do
	run run "$TMP/w.ini" --target "$TMP/${what%%|*}" --write
	expect "${what%%|*} is refused" 3 "${what#*|}"
	check "${what%%|*}: one line" same "$(wc -l <"$err" | tr -d ' ')" 1
done
allowed 'a link to a file' "$TMP/link" --write
check 'nothing was made of a missing file' test ! -e "$TMP/none"
run run "$TMP/r.ini" --target ''
expect 'an empty path is refused' 3 'the path is empty'
for name in no-such-disk 'by-path:ip-192.0.2.7:3260-lun-0' 'with,comma' 'with;semicolon' 'with#hash' 'with blank'; do
	run run "$TMP/w.ini" --target "/dev/$name" --write "--write=/dev/$name"
	expect "/dev/$name is refused" 3 "cannot write '/dev/$name': it does not exist, and nothing is ever created under /dev"
	for part in "/dev/$name" "/dev/${name%%[:,;# ]*}"; do
		check "nothing was made: $part" test ! -e "$part"
	done
done
# In a preset a comment must not become part of a path, nor a path end at what looks like one.
cp "$TMP/file" "$TMP/usb"
for name in 'usb #2' 'usb ;2'; do
	cp "$TMP/file" "$TMP/$name"
	{ moment randread; printf '[target]\na = %s\n' "$TMP/$name"; } >"$TMP/q.ini"
	run run "$TMP/q.ini"
	expect "a path '$name' without quotes in a preset" 2 "would be cut at a ';' or '#'"
	{ moment randread; printf '[target]\na = "%s" ; all of it\n' "$TMP/$name"; } >"$TMP/q.ini"
	run run "$TMP/q.ini" --json "$TMP/q.json"
	expect "a path '$name' in quotes" 0
	check "a path '$name' in quotes is all of it" holds "$TMP/q.json" "$name'"
	rm -f "$TMP/q.json"
done
for name in 'a:b' 'a,b' 'a;b' 'a#b' 'a b'; do
	cp "$TMP/file" "$TMP/$name"
	allowed "a file named $name" "$TMP/$name" --write
	check "nothing else was made of $name" test ! -e "$TMP/a"
done
run run "$TMP/r.ini" --target /dev/null --json "$TMP/j"
expect '/dev/null answers 0 bytes, which is no success' 4
run run "$TMP/r.ini" --target /dev/zero
expect '/dev/zero can be read' 0
run run "$TMP/r.ini" --target /dev/tty
expect 'another character device is refused' 3
cat >"$TMP/new.ini" <<-INI
	# A new file?
	[target]
	a = $TMP/new
	size = 1m
	[job a]
	rw = randwrite
	number_ios = 10
	[step one]
	run = until done
INI
run run "$TMP/new.ini"
expect 'a new file needs --write' 3
check 'it was not made' test ! -e "$TMP/new"
run run "$TMP/new.ini" --write
expect 'a new file with size and --write' 0
check 'it has the size' same "$(wc -c <"$TMP/new" | tr -d ' ')" 1048576
sed 's/size = 1m/size = 2m/' "$TMP/new.ini" >"$TMP/more.ini"
run run "$TMP/more.ini" --write
expect 'a target smaller than its size is not used in part' 2 'has 1048576 bytes, but size in [target] says 2097152'

# ---- loop devices ----
why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'guard on devices' "$why"
	finish
fi
free=$(loop free.img 8)
allowed 'a named free device' "$free" "--write=$free"
allowed 'a device by its kernel name' "$free" "--write=${free#/dev/}"
check 'it says what goes' holds "$err" "will be overwritten: '$free'"
refused 'a device that was not named' 'only when named' "$free" --write
refused 'a device by the name of another' 'only when named' "$free" --write=/dev/loop99
ln -s "$free" "$TMP/to-free"
allowed 'a link to a free device' "$TMP/to-free" "--write=$TMP/to-free"

if command -v mkfs.ext4 >/dev/null 2>&1; then
	fs=$(loop fs.img 8)
	mkfs.ext4 -q -F -L precious "$fs"
	refused 'a file system' "ext4 'precious' on it would be lost" "$fs" "--write=$fs"
	mkdir "$TMP/mnt"
	mount "$fs" "$TMP/mnt" && echo "$TMP/mnt" >>"$mounts"
	sync
	ln -s "$fs" "$TMP/to-fs"
	for target in "$fs" "$TMP/to-fs"; do
		refused "mounted ($target)" "mounted on $TMP/mnt" "$target" "--write=$target" --write=ext4
	done
	refused 'the file under a mounted loop device' "mounted on $TMP/mnt" "$TMP/fs.img" --write --write=ext4
	before=$(sum "$fs")
	run run "$TMP/r.ini" --target "$fs" --json "$TMP/use.json"
	expect 'a mounted device can be read' 0
	check 'and is labelled' holds "$TMP/use.json" "in use by $TMP/mnt"
	check 'reading changed nothing' same "$(sum "$fs")" "$before"
	umount "$TMP/mnt" && : >"$mounts"
	refused 'not mounted any more' 'would be lost' "$fs" "--write=$fs"
	allowed 'with its signature named' "$fs" "--write=$fs" --write=ext4
else
	skipped 'mounted devices' 'no mkfs.ext4'
fi
if command -v mkswap >/dev/null 2>&1; then
	swap=$(loop swap.img 8)
	mkswap "$swap" >/dev/null 2>&1
	if swapon "$swap" 2>/dev/null; then
		refused 'swap' swap "$swap" "--write=$swap" --write=swap
		swapoff "$swap"
	else
		skipped 'swap' 'this machine takes no swap'
	fi
	refused 'a swap signature' 'swap on it would be lost' "$swap" "--write=$swap"
	allowed 'a swap signature, named' "$swap" "--write=$swap" --write=swap
fi
disk=$(loop disk.img 24 -P)
# A partition table of the old kind: two of 8 MiB from sectors 2048 and 18432 on, type 83.
{
	printf '\000\000\002\000\203\000\000\000\000\010\000\000\000\100\000\000'
	printf '\000\000\002\000\203\000\000\000\000\110\000\000\000\100\000\000'
	head -c 32 /dev/zero
} | dd of="$disk" bs=1 seek=446 conv=notrunc status=none
printf '\125\252' | dd of="$disk" bs=1 seek=510 conv=notrunc status=none
sync
if command -v partx >/dev/null 2>&1 && command -v mkfs.ext4 >/dev/null 2>&1 && { partx -a "$disk" 2>/dev/null; [ -b "${disk}p1" ]; }; then
	refused 'a partition table' 'dos partition table on it would be lost' "$disk" "--write=$disk"
	mkfs.ext4 -q -F "${disk}p1"
	mount "${disk}p1" "$TMP/mnt" && echo "$TMP/mnt" >>"$mounts"
	sync
	refused 'a disk with a mounted partition' "its partition ${disk#/dev/}p1 is mounted on $TMP/mnt" "$disk" "--write=$disk" --write=dos
	refused 'the mounted partition' "mounted on $TMP/mnt" "${disk}p1" "--write=${disk}p1" --write=ext4
	allowed 'the other partition' "${disk}p2" "--write=${disk}p2"
	umount "$TMP/mnt" && : >"$mounts"
	allowed 'the disk, nothing mounted' "$disk" "--write=$disk" --write=dos
else
	skipped 'partitions' 'no partx, no mkfs.ext4, or this kernel makes no partitions on loop devices'
fi
read_only=$(loop ro.img 8 -r)
refused 'a read-only device' 'the device is read-only' "$read_only" "--write=$read_only"
unloop "$read_only"

# Held by another process: the first run holds it while the second tries.
sed 's/number_ios.*//; s/until done/20s/' "$TMP/w.ini" >"$TMP/long.ini"
"$IODECK" run "$TMP/long.ini" --target "$free" "--write=$free" >/dev/null 2>&1 &
holder=$!
sleep 0.7
run run "$TMP/w.ini" --target "$free" "--write=$free"
expect 'a device another process holds is refused' 3 'another process holds it'
kill -TERM $holder
wait $holder
allowed 'once it is free' "$free" "--write=$free"
finish
