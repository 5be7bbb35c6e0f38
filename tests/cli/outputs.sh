#!/bin/sh
# Where results go, and what happens when they cannot go there.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
little_preset >"$TMP/p.ini"
little_preset >"$TMP/long.ini"
sed -i 's/run = 5s/run = 30d/' "$TMP/long.ini"
preset=$TMP/p.ini
# Refused outputs must be refused at once: this one would take very long.
long=$TMP/long.ini

# ---- refused before anything starts ----
# refuse NAME FILE TEXT: for --json and --csv
refuse() {
	for option in json csv; do
		timeout 20 "$IODECK" run "$long" "--$option" "$2" >"$out" 2>"$err"
		status=$?
		expect "--$option: $1" 2 "$3"
		check "--$option: $1: names the path" holds "$err" "$2"
		check "--$option: $1: nothing was printed" test ! -s "$out"
	done
}
echo old >"$TMP/exists"
refuse 'an existing file' "$TMP/exists" '--force'
check 'the existing file is as it was' same "$(cat "$TMP/exists")" old
refuse 'a missing folder' "$TMP/none/x.json" 'folder does not exist'
refuse 'a folder' "$TMP" 'folder'
refuse 'a folder with a slash' "$TMP/new/" 'folder'
ln -s "$TMP/nowhere" "$TMP/dangling"
refuse 'a link that leads nowhere' "$TMP/dangling" 'leads nowhere'
refuse 'a file as a folder' "$TMP/exists/x.json" 'Not a directory'
long_name=$TMP/$(printf '%0300d' 0)
timeout 20 "$IODECK" run "$preset" --runtime 1s --json "$long_name" >"$out" 2>"$err"
status=$?
expect 'a name too long for the filesystem' 2 'too long'
run run "$long" --json "$TMP/x" --csv "$TMP/x"
expect 'the same file twice' 2 'both'
run run "$long" --json "$TMP/x" --csv "$TMP/./x"
expect 'the same file in two spellings' 2 'both'
run run "$long" --json - --csv -
expect 'both to stdout' 2 'both'
if [ "$(id -u)" != 0 ]; then
	mkdir "$TMP/locked"
	chmod 555 "$TMP/locked"
	refuse 'a folder that is not writable' "$TMP/locked/x" 'Permission denied'
elif setpriv --reuid 65534 --clear-groups --inh-caps=-all test -x "$IODECK" 2>/dev/null; then
	mkdir "$TMP/locked"
	chmod 755 "$TMP" "$TMPDIR" "$TMP/locked"
	setpriv --reuid 65534 --clear-groups --inh-caps=-all "$IODECK" run "$preset" --json "$TMP/locked/x" >"$out" 2>"$err"
	status=$?
	expect 'a folder that is not writable' 2 'Permission denied'
else
	skipped 'a folder that is not writable' 'root may write everywhere, and no other user may run the program here'
fi
for device in /dev/sda /dev/vda /dev/loop0 /dev/zram0 /dev/ram0; do
	[ -b "$device" ] || continue
	timeout 20 "$IODECK" run "$preset" --runtime 1s --json "$device" --force >"$out" 2>"$err"
	status=$?
	expect 'a block device, even with --force' 2 'block device'
	break
done
check 'nothing is left behind' test -z "$(find "$TMP" -name '.*.??????' | head -n 1)"

# ---- written ----
run run "$preset" --json "$TMP/a.json" --csv "$TMP/a.csv"
expect 'both files' 0
check 'the JSON is whole' json "$TMP/a.json"
check 'the CSV has 16 lines' same "$(wc -l <"$TMP/a.csv")" 16
check 'nothing is left behind after a run' test -z "$(find "$TMP" -name '.*.??????' | head -n 1)"
check 'the files obey the umask' same "$(stat -c %a "$TMP/a.json")" "$(printf '%o' $((0666 & ~0$(umask))))"
run run "$preset" --json "$TMP/exists" --force
expect '--force replaces' 0
check 'the new file is whole' json "$TMP/exists"
echo old >"$TMP/target"
chmod 640 "$TMP/target"
ln -s "$TMP/target" "$TMP/link"
run run "$preset" --json "$TMP/link" --force
expect '--force through a link' 0
check 'the link stays' test -L "$TMP/link"
check 'its target is the new file' json "$TMP/target"
check 'with the mode of the old' same "$(stat -c %a "$TMP/target")" 640
(cd "$TMP" && "$IODECK" run "$preset" --json here.json) >"$out" 2>"$err"
status=$?
expect 'a bare name' 0
check 'it is in this folder' json "$TMP/here.json"
chmod 444 "$TMP/here.json"
run run "$preset" --json "$TMP/here.json"
expect 'a read-only file' 2 "$TMP/here.json"

# ---- stdout ----
run run "$preset" --json -
expect '--json -' 0
check 'stdout is the document and nothing else' json "$out"
check 'the table went to stderr' holds "$err" IOPS
run run "$preset" --csv -
expect '--csv -' 0
check 'stdout is CSV and nothing else' same "$(awk -F, 'NF != 36' "$out" | wc -l)" 0
run run "$preset"
expect 'the table' 0
check 'is on stdout' holds "$out" IOPS
check 'and stderr is empty' test ! -s "$err"
check 'the table fits 80 columns' test -z "$(awk 'length > 80' "$out")"
run run "$preset" --json /dev/null --csv /dev/null
expect '/dev/null needs no --force' 0
mkfifo "$TMP/fifo"
timeout 20 cat "$TMP/fifo" >"$TMP/from-fifo" &
run run "$preset" --json "$TMP/fifo"
wait
expect 'a named pipe' 0
check 'the document came through it' json "$TMP/from-fifo"

# ---- lost ----
if [ -c /dev/full ]; then
	run run "$preset" --json /dev/full
	expect '/dev/full for JSON' 1 '/dev/full'
	check 'the table is there nevertheless' holds "$out" IOPS
	check 'the device is still one' test -c /dev/full
	run run "$preset" --csv /dev/full
	expect '/dev/full for CSV' 1 '/dev/full'
	run run "$preset" --csv /dev/full --json "$TMP/full.json"
	expect 'one output lost' 1
	check 'the other one is whole' json "$TMP/full.json"
	"$IODECK" run "$preset" >/dev/full 2>"$err"
	status=$?
	expect 'stdout is full' 1 'lost'
	"$IODECK" run "$preset" --json - >/dev/full 2>"$err"
	status=$?
	expect 'stdout is full of JSON' 1
	for command in presets '--help' 'check --keys'; do
		# shellcheck disable=SC2086
		"$IODECK" $command >/dev/full 2>"$err"
		status=$?
		expect "$command with a full stdout" 1
	done
else
	skipped 'a full device' 'there is no /dev/full'
fi
"$IODECK" run "$preset" --json - >&- 2>"$err"
status=$?
expect 'a closed stdout' 1
"$IODECK" run "$preset" --json "$TMP/closed.json" >&- 2>&-
check 'with stdout and stderr closed the file is whole' json "$TMP/closed.json"
# The status of a program whose reader has gone.
("$IODECK" run "$preset" --csv - 2>"$err"; echo $? >"$TMP/status") | head -n 1 >/dev/null
check 'a reader that leaves is lost output, or came too late to matter' grep -qxE '0|1' "$TMP/status"
("$IODECK" run "$preset" --csv - 2>"$err"; echo $? >"$TMP/status") | true
sleep 0.1
small=$TMP/small
mkdir "$small"
if mount -t tmpfs -o size=4k tmpfs "$small" 2>/dev/null; then
	sed 's/run = 5s/run = 100s/' "$preset" >"$TMP/rows.ini"
	run run "$TMP/rows.ini" --csv "$small/x.csv" --json "$TMP/small.json"
	expect 'a full filesystem' 1 'No space left'
	check 'the rows that fitted are whole' test "$(tail -c 1 "$small/x.csv" | od -An -c | tr -d ' ')" = '\n'
	check 'all of them' test -z "$(awk -F, 'NF != 36' "$small/x.csv")"
	check 'the other output is whole' json "$TMP/small.json"
	umount "$small"
else
	skipped 'a full filesystem' 'no tmpfs can be mounted here'
fi
(
	ulimit -f 4
	trap '' XFSZ
	exec "$IODECK" run "$preset" --csv "$TMP/limit.csv" --json /dev/null
) >"$out" 2>"$err"
status=$?
expect 'a limit on file size' 1
check 'whole rows are kept' test -z "$(awk -F, 'NF != 36' "$TMP/limit.csv")"
finish
