#!/bin/sh
# Who may include whom, and what a layer must not do. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}

# Layer | files (a shell pattern of `find -path`) | quoted includes it may have (extended regex). `own` of a layer is always allowed.
layers() {
	cat <<-'ROWS'
	base|engine/base/*|base/
	model|engine/model/*|base/|model/|spec[.]h
	stack|engine/stack/*|base/|stack/|backend/backend[.]h|spec[.]h
	backend|engine/backend/*|base/|backend/|stack/io[.]h|model/|spec[.]h
	probes|probes/*|base/
	tui|tui/*|base/|(probes|[a-z]+_text|diskstats|sysread|engine|command|snapshot|spec|preset|record|result|expect|pacer|target|events|kernel|undo)[.]h
	ROWS
}

n=0
bad=0
# check NAME TEXT: passed when TEXT is empty.
check() {
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "$2" | head -n 20 | sed 's/^/# /'
		bad=1
	fi
}

sources() { # sources PATTERN: C files and headers below it
	find engine tui probes -path "$1" -name '*.[ch]' 2>/dev/null | sort
}

# FILE:NUMBER:code of the given files without comments and texts, so that a word in a sentence is not taken for a call.
code_of() {
	awk '
	FNR == 1 { inside = 0 }
	{
		line = $0
		gsub(/\\./, "", line)
		gsub(/"[^"]*"/, "\"\"", line)
		out = ""
		while (line != "") {
			if (inside) {
				at = index(line, "*/")
				if (!at) { line = ""; break }
				line = substr(line, at + 2); inside = 0
			} else {
				at = index(line, "/*"); slash = index(line, "//")
				if (slash && (!at || slash < at)) { out = out substr(line, 1, slash - 1); line = "" }
				else if (at) { out = out substr(line, 1, at - 1); line = substr(line, at + 2); inside = 1 }
				else { out = out line; line = "" }
			}
		}
		if (out !~ /^[ \t]*$/) print FILENAME ":" FNR ":" out
	}' "$@"
}

# Files that include something with quotes that the regex does not allow; a header in the same folder is its own.
foreign_includes() { # foreign_includes REGEX FILE...
	allowed=$1
	shift
	grep -HE '^[ \t]*#[ \t]*include[ \t]*"' "$@" | awk -F'"' -v allowed="^($allowed)" '
		BEGIN { for (i = 1; i < ARGC; i++) if (ARGV[i] != "-") { there[ARGV[i]] = 1; delete ARGV[i] } }
		{
			file = $1
			sub(/:.*/, "", file)
			folder = file
			sub(/[^\/]*$/, "", folder)
			if ($2 !~ allowed && !($2 !~ /\// && (folder $2) in there)) print file " includes \"" $2 "\""
		}' - "$@"
}

# Files other than DOOR that include one of the headers.
only_at_door() { # only_at_door DOOR REGEX
	# shellcheck disable=SC2046
	grep -nE "^[ \t]*#[ \t]*include[ \t]*[<\"]($2)" $(sources '*') | grep -v "^$1:"
}

# ---- includes ----
layers_seen=$(layers | wc -l)
while IFS='|' read -r layer files rest; do
	list=$(sources "$files")
	# shellcheck disable=SC2086
	check "$layer includes only what it may" "$([ -n "$list" ] && foreign_includes "$rest" $list || echo "no files in $files")"
done <<ROWS
$(layers)
ROWS
model_in_backend=$(grep -lE '^#[ \t]*include[ \t]*"(\.\./)?model/sim[.]h' engine/backend/*.c | wc -l)
check 'one file of backend drives the model' "$([ "$model_in_backend" -le 1 ] || grep -nE '"model/sim[.]h' engine/backend/*.c)"
# shellcheck disable=SC2046
check 'engine does not include tui' "$(foreign_includes 'base/|model/|stack/|backend/' $(find engine -maxdepth 1 -name '*.[ch]'))"
check 'curses only in tui/terminal*' "$(only_at_door 'tui/terminal[a-z_]*[.][ch]' '(ncursesw/)?(n?curses|panel)[.]h')"
# terminfo, asked before curses is started, is the other half of that library. Our own headers have no name of the system's.
check 'terminfo only in tui/terminfo.c' "$(only_at_door tui/terminfo.c '(ncursesw/)?term[.]h')"
check 'iniparser only in engine/preset.c' "$(only_at_door engine/preset.c '(iniparser/)?(iniparser|dictionary)[.]h')"
check 'jansson only in engine/base/json.c' "$(only_at_door engine/base/json.c 'jansson')"
check 'libaio only in engine/backend/aio*' "$(only_at_door 'engine/backend/aio[a-z_]*[.][ch]' 'libaio')"
check 'libblkid only in engine/target_content.c' "$(only_at_door engine/target_content.c 'blkid')"
check 'libnl only in probes/uevent_socket.c and links.c' "$(only_at_door 'probes/\(uevent_socket\|links\)[.]c' 'netlink/')"
check 'libdevmapper only in probes/dm.c' "$(only_at_door probes/dm.c 'libdevmapper')"
check 'libmount only in engine/target_use.c' "$(only_at_door engine/target_use.c 'libmount')"

# ---- what engine and probes never do ----
# shellcheck disable=SC2046
engine_code=$(code_of $(find engine probes -name '*.[ch]' 2>/dev/null | sort))
check 'engine and probes never print' "$(echo "$engine_code" |
	grep -E '(^|[^a-zA-Z0-9_>.])(v?f?printf|v?dprintf|puts|putchar|fputs|perror|syslog|psignal)[ \t]*\(' |
	grep -vE '(^|[^a-zA-Z0-9_])(fputs|fputc|fprintf)[ \t]*\([^)]*\bf\)')"
check 'engine and probes name no standard stream' "$(echo "$engine_code" | grep -E '(^|[^a-zA-Z0-9_])(stdout|stderr|STD(OUT|ERR)_FILENO)([^a-zA-Z0-9_]|$)')"
check 'engine and probes never end the process' "$(echo "$engine_code" |
	grep -E '(^|[^a-zA-Z0-9_>.])(_?exit|_Exit|quick_exit|abort|assert|raise|err|errx)[ \t]*\(')"

# ---- no experiment in the code ----
names=$(for preset in presets/*.ini; do [ -f "$preset" ] && basename "$preset" .ini; done)
names=$(printf '%s\n' "$names" hyperpav ds5100 equallogic asm | grep . | sort -u)
# hyperpav is also a value of alias_mode, hence a word of the grammar, and what a probe says of a pool: engine/config*.c, probes/probe_dasd.c.
found=$(for name in $names; do
	word=$(echo "$name" | sed 's/[^a-zA-Z0-9]/./g')
	grep -nrE "\"([^\"]*[^a-zA-Z0-9\"])?$word([^a-zA-Z0-9\"][^\"]*)?\"" engine probes --include='*.[ch]' 2>/dev/null |
		case $name in hyperpav) grep -vE '^(engine/config[a-z_]*|probes/probe_dasd)[.]c:' ;; real | quickstart) grep '"'"$word"'"' ;; *) cat ;; esac
done)
check 'engine and stack know no preset by name' "$found"

# ---- no state behind the back ----
# Objects of the engine with a symbol in .data or .bss. The sanitizers bring their own, so this looks at the plain build too.
writable_symbols() {
	find "$BUILD/engine" "$BUILD/probes" -name '*.o' 2>/dev/null | sort | while read -r object; do
		[ -f "$(echo "${object#"$BUILD"/}" | sed 's/o$/c/')" ] || continue # of a source that is gone
		# .data.rel.ro holds constants with addresses in them; it is read-only once the program runs.
		nm -f sysv "$object" | awk -F'|' -v object="$object" '
			{ gsub(/ /, "", $1); gsub(/ /, "", $7) }
			$7 ~ /^([.](data|bss|tdata|tbss)|[*]COM)/ && $7 !~ /^[.]data[.]rel[.]ro/ { print object ": " $1 " in " $7 }'
	done
}
if [ -n "${SAN:-}" ]; then
	n=$((n + 1))
	echo "ok $n - no mutable variables at file scope in engine and probes # SKIP the sanitizer adds variables of its own"
elif ! command -v nm >/dev/null 2>&1; then
	n=$((n + 1))
	echo "ok $n - no mutable variables at file scope in engine and probes # SKIP no nm"
else
	objects=$(find "$BUILD/engine" -name '*.o' 2>/dev/null | wc -l)
	check 'no mutable variables at file scope in engine and probes' \
		"$([ "$objects" -gt 0 ] && writable_symbols || echo "no objects in $BUILD/engine")"
fi

echo "1..$n"
[ "$layers_seen" -eq 6 ] || bad=1
exit $bad
