#!/bin/sh
# Makes what the small machine of `make vm-check` boots: a Debian kernel and an initramfs with iodeck in it.
#   image.sh FOLDER     writes FOLDER/kernel and FOLDER/initrd; BUILD is where iodeck was built
# Kernel and mdadm are fetched by apt-get download and only unpacked, nothing of them is installed.
set -eu
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-build}
root=$folder/root

# Modules the tests load; their dependencies follow.
modules='virtio_pci virtio_blk sd_mod scsi_debug dm-mod dm-multipath dm-round-robin dm-queue-length dm-service-time
dm-switch null_blk raid1 configfs'
# Programs of this machine that the guest uses, besides busybox.
programs="$BUILD/iodeck $BUILD/tests/vm/drive $(command -v dmsetup)"

fetch() { # fetch PACKAGE: unpacked in $folder/debs/PACKAGE, once
	[ -d "$folder/debs/$1" ] && return
	mkdir -p "$folder/debs/get"
	(cd "$folder/debs/get" && rm -f ./*.deb && apt-get -qq download "$1" 2>&1 | grep -v '^W: Download is performed unsandboxed' >&2) || :
	dpkg -x "$folder"/debs/get/*.deb "$folder/debs/part"
	mv "$folder/debs/part" "$folder/debs/$1"
	rm -rf "$folder/debs/get"
}

# The kernel of the release this machine runs, in its small form.
kernel_package() {
	apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1
}

# A program and every library it needs, at the same places.
put_program() { # put_program FILE NAME
	cp "$1" "$root/bin/$2"
	ldd "$1" | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p' | while read -r library; do
		[ -e "$root$library" ] && continue
		mkdir -p "$root$(dirname "$library")"
		cp -L "$library" "$root$library"
	done
}

put_modules() { # put_modules TREE VERSION
	depmod -b "$1" "$2"
	mkdir -p "$root/lib/modules/$2"
	cp "$1/lib/modules/$2/"modules.builtin* "$1/lib/modules/$2/modules.order" "$root/lib/modules/$2/"
	for module in $modules; do
		modprobe -d "$1" -S "$2" --show-depends "$module" || echo "no module $module" >&2
	done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | sort -u | while read -r file; do
		place=$root/lib/modules/$2/${file##*"/$2/"}
		mkdir -p "$(dirname "$place")"
		cp "$file" "$place"
	done
	depmod -b "$root" "$2"
}

mkdir -p "$folder"
rm -rf "$root"
package=$(kernel_package)
[ -n "$package" ] || { apt-get update -q >&2 && package=$(kernel_package); } || :
[ -n "$package" ] || { echo 'apt knows no linux-image-cloud-amd64; apt-get update?' >&2; exit 1; }
fetch "$package"
fetch mdadm
tree=$folder/debs/$package
version=${package#linux-image-}
[ -d "$tree/usr/lib/modules" ] && [ ! -d "$tree/lib/modules" ] && ln -s usr/lib "$tree/lib"
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/out" "$root/tmp" "$root/run" "$root/tests" "$root/etc" "$root/usr"
cp "$(command -v busybox)" "$root/bin/busybox"
ln -s bin "$root/sbin" # where the kernel looks for modprobe
put_modules "$tree" "$version"
for program in $programs; do put_program "$program" "$(basename "$program")"; done
put_program "$(find "$folder/debs/mdadm" -name mdadm -path '*sbin/*' | head -n 1)" mdadm
mkdir -p "$root/usr/share/terminfo/x"
cp "$(find /lib/terminfo/x /usr/share/terminfo/x -name xterm 2>/dev/null | head -n 1)" "$root/usr/share/terminfo/x/xterm"
cp "$here"/guest/* "$root/tests/"
cp -rL "$here/../../presets" "$root/bin/presets"
cp "$here/init" "$root/init"
chmod +x "$root/init"
cp "$tree/boot/vmlinuz-$version" "$folder/kernel"
(cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc --quiet) >"$folder/initrd.new"
mv "$folder/initrd.new" "$folder/initrd"
