#!/bin/sh
# Which packages are missing, and how to get them.
#   deps.sh check GROUP...     exit 1 with one message when something is missing
#   deps.sh install GROUP...   install what is missing (asks once on a terminal unless YES=1)
# Groups: program, tests, bench, vm.
set -u

CC=${CC:-gcc}

# One row per need: group | how to see that it is there | Debian | Fedora | SUSE | Alpine
# `lib HEADER SYMBOL LIBS` compiles and links a line; `tool NAME` looks along PATH; `file PATH` is there.
table() {
	cat <<-'ROWS'
	program|cc|gcc libc6-dev|gcc glibc-devel|gcc glibc-devel|gcc musl-dev
	program|lib curses.h initscr -lncursesw|libncurses-dev|ncurses-devel|ncurses-devel|ncurses-dev
	program|lib iniparser/iniparser.h iniparser_load -liniparser|libiniparser-dev|iniparser-devel|libiniparser-devel|iniparser-dev
	program|lib jansson.h json_object -ljansson|libjansson-dev|jansson-devel|libjansson-devel|jansson-dev
	program|lib libaio.h io_setup -laio|libaio-dev|libaio-devel|libaio-devel|libaio-dev
	program|lib blkid/blkid.h blkid_new_probe -lblkid|libblkid-dev|libblkid-devel|libblkid-devel|util-linux-dev
	program|lib libmount/libmount.h mnt_new_table -lmount|libmount-dev|libmount-devel|libmount-devel|util-linux-dev
	program|lib libnl3/netlink/netlink.h nl_recv -I/usr/include/libnl3 -lnl-3|libnl-3-dev|libnl3-devel|libnl3-devel|libnl3-dev
	program|lib libnl3/netlink/route/link.h rtnl_link_get_kernel -I/usr/include/libnl3 -lnl-3 -lnl-route-3|libnl-route-3-dev|libnl3-devel|libnl3-devel|libnl3-dev
	program|lib libdevmapper.h dm_task_create -ldevmapper|libdevmapper-dev|device-mapper-devel|device-mapper-devel|lvm2-dev
	tests|lib stdarg.h,stddef.h,stdint.h,setjmp.h,cmocka.h _cmocka_run_group_tests -lcmocka|libcmocka-dev|libcmocka-devel|libcmocka-devel|cmocka-dev
	tests|lib vterm.h vterm_new -lvterm|libvterm-dev|libvterm-devel|libvterm-devel|libvterm-dev
	tests|tool tmux|tmux|tmux|tmux|tmux
	tests|tool gcc|gcc|gcc|gcc|gcc
	tests|tool clang|clang|clang|clang|clang
	tests|tool nm|binutils|binutils|binutils|binutils
	tests|tool iostat|sysstat|sysstat|sysstat|sysstat
	tests|tool fio|fio|fio|fio|fio
	tests|tool strace|strace|strace|strace|strace
	tests|tool ps|procps|procps-ng|procps|procps
	tests|file /usr/share/i18n/locales/de_DE|locales|glibc-locale-source|glibc-i18ndata|-
	tests|tool strace|strace|strace|strace|strace
	vm|tool qemu-system-x86_64|qemu-system-x86|qemu-system-x86|qemu-x86|qemu-system-x86_64
	vm|tool busybox|busybox-static|busybox|busybox-static|busybox-static
	vm|tool cpio|cpio|cpio|cpio|cpio
	vm|tool modprobe|kmod|kmod|kmod|kmod
	vm|tool dmsetup|dmsetup|device-mapper|device-mapper|device-mapper
	vm|tool apt-get|apt|-|-|-
	bench|lib vterm.h vterm_new -lvterm|libvterm-dev|libvterm-devel|libvterm-devel|libvterm-dev
	bench|tool fio|fio|fio|fio|fio
	bench|tool valgrind|valgrind|valgrind|valgrind|valgrind
	bench|tool taskset|util-linux|util-linux|util-linux|util-linux-misc
	ROWS
}

cc() {
	"$CC" -x c -o /dev/null "$@" 2>/dev/null
}

# lib HEADERS SYMBOL LIBS...
lib() {
	headers=$(echo "$1" | tr ',' '\n' | sed 's/.*/#include <&>/')
	symbol=$2
	shift 2
	printf '%s\nint main(void) { return (void *)%s == 0; }\n' "$headers" "$symbol" |
		cc -DNCURSES_WIDECHAR=1 - "$@"
}

there() {
	# The words of a probe are split on purpose.
	# shellcheck disable=SC2086
	set -- $1
	case $1 in
	cc) echo 'int main(void) { return 0; }' | cc - ;;
	lib) shift && lib "$@" ;;
	tool) command -v "$2" >/dev/null 2>&1 ;;
	file) [ -e "$2" ] || [ -e "$2.gz" ] ;;
	esac
}

# Columns of the rows whose group is asked for and whose need is not met: Debian|Fedora|SUSE|Alpine.
missing_rows() {
	table | while IFS='|' read -r group probe packages; do
		case " $groups " in *" $group "*) ;; *) continue ;; esac
		there "$probe" </dev/null || echo "$packages"
	done
}

column() {
	echo "$missing" | cut -d'|' -f"$1" | tr ' ' '\n' | grep -v '^-*$' | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# One message for systems without apt.
elsewhere() {
	echo "iodeck needs packages that are not installed. Install them with the line of your system:" >&2
	echo "  Debian, Ubuntu   apt-get install $(column 1)" >&2
	echo "  Fedora, RHEL     dnf install $(column 2)" >&2
	echo "  SUSE             zypper install $(column 3)" >&2
	echo "  Alpine           apk add $(column 4)" >&2
}

command=${1:-}
[ $# -gt 0 ] && shift
groups=$*
case $command in check | install) ;; *) echo "usage: deps.sh check|install GROUP..." >&2 && exit 2 ;; esac

missing=$(missing_rows)
[ -n "$missing" ] || exit 0
if [ "$command" = check ]; then
	if command -v apt-get >/dev/null 2>&1; then
		echo "iodeck needs packages that are not installed: $(column 1). Run 'make deps'." >&2
	else
		elsewhere
	fi
	exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
	elsewhere
	exit 1
fi

packages=$(column 1)
sudo=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "Packages are missing; as root: apt-get install $packages" >&2
		exit 1
	fi
	sudo=sudo
fi
echo "Missing packages; this installs them:"
echo "  ${sudo:+sudo }apt-get install -y --no-install-recommends $packages"
if [ -t 0 ] && [ -z "${YES:-}" ]; then
	printf 'Go ahead? [Y/n] '
	read -r answer || answer=n
	case $answer in '' | [yY]*) ;; *) echo "Nothing was installed." && exit 1 ;; esac
fi
apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@"; }
# The lists of a new machine are empty, hence the update. The words of the package list are split on purpose.
# shellcheck disable=SC2086
if ! apt update -q || ! apt install -y -q --no-install-recommends $packages; then
	echo "apt-get could not install: $packages" >&2
	exit 1
fi
missing=$(missing_rows)
[ -z "$missing" ] || {
	echo "Still not usable after the installation: $(column 1)" >&2
	exit 1
}
