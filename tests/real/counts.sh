#!/bin/sh
# What iodeck counts is what went through, to the request: by a libaio in between, and by the counters of the device.
# shellcheck source=tests/real/lib_real.sh
. "$(dirname "$0")/lib_real.sh"

N=20000 W=2000 # written blocks are new to their file system, which takes its time
# fixed RW NUMBER: requests of 4 KiB, 32 at once
fixed() { moment "$1" | sed "s/number_ios.*/number_ios = $2/; s/iodepth.*/iodepth = 32/"; }
fixed randread $N >"$TMP/n.ini"
fixed randwrite $W >"$TMP/w.ini"
timed 1 32 >"$TMP/t.ini"

# 1 GiB that has its blocks but was never written: made at once, and the file system answers by itself (which must be said).
fallocate -l 1G "$TMP/big" 2>/dev/null || dd if=/dev/zero of="$TMP/big" bs=1M count=1024 status=none
# counted NAME NUMBER: the last run against the library in between
counted() {
	check "$1: requests" same "$(value steps.0.requests)" "$2"
	check "$1: exactly what went through" same "$(cat "$TMP/count")" "$2 $2 $(($2 * 4096))"
}
if interposer; then
	for mode in plain eagain short eintr; do
		interposed $mode 60 run "$TMP/n.ini" --target "$TMP/big"
		expect "1 GiB file, $mode: ends well" 0
		counted "1 GiB file, $mode" $N
	done
	interposed plain 60 run "$TMP/t.ini" --target "$TMP/big"
	expect '1 GiB file, a second' 0
	# what was out at the end came back behind it, or was not yet handed to the kernel
	submitted=$(cut -d' ' -f1 "$TMP/count")
	check '1 GiB file, a second: all that went down came back' same "$submitted" "$(cut -d' ' -f2 "$TMP/count")"
	check '1 GiB file, a second: none is missing' test "$submitted" -ge "$(value steps.0.requests)"
	check '1 GiB file, a second: none too many' test "$submitted" -le $(($(value steps.0.requests) + $(value steps.0.outstanding)))
	# Of each hundred one fails, one is short, one moves nothing: they are counted by kind and are in no other figure.
	interposed errors 60 run "$TMP/n.ini" --target "$TMP/big"
	expect 'failed and short ones' 4
	check 'failed and short ones: the rest counts' same "$(value steps.0.requests)" $((N / 100 * 97))
	check 'failed and short ones: latencies are of those' same "$(value steps.0.total_us.n)" $((N / 100 * 97))
	check 'failed and short ones: bytes are of those' same \
		"$(awk -v b="$(value steps.0.bytes_per_s)" -v s="$(value steps.0.length_s)" 'BEGIN { printf "%.0f", b * s }')" $((N / 100 * 97 * 4096))
	check 'failed and short ones: errors' same "$(value steps.0.errors) $(value steps.0.errors_by.EIO)" "$((N / 100)) $((N / 100))"
	check 'failed and short ones: short' same "$(value steps.0.short)" $((N / 100 * 2))
	check 'failed and short ones: the table says so' holds "$out" "$((N / 100)) failed, $((N / 100 * 2)) short"
	interposed einval 60 run "$TMP/n.ini" --target "$TMP/big"
	expect 'a request that the device calls invalid ends the run' 1 'as invalid (EINVAL)'
	check 'it is an error, not work' same "$(value steps.0.errors) $(value steps.0.end)" '1 error'
	check 'and nothing is asked after it' test "$(value steps.0.requests)" -lt 200
else
	skipped 'interposed libaio' 'no shared object can be built, or a sanitizer is in it'
fi
limited 60 run "$TMP/n.ini" --target "$TMP/big"
expect 'never written: it runs' 0
check 'never written: a cache answered, and it says so' holds "$TMP/j" 'came from a cache, not from the device'
truncate -s 1G "$TMP/hole"
limited 60 run "$TMP/n.ini" --target "$TMP/hole"
check 'without blocks: it says so' holds "$TMP/j" 'only 0.0 of 1024.0 MiB are written'
check 'with blocks: it does not' test "$(limited 60 run "$TMP/t.ini" --runtime 100ms --target "$TMP/big"; grep -c 'are written; the rest' "$TMP/j")" -eq 0

# ---- a loop device over it ----
why=$(no_loops)
if [ -n "$why" ]; then
	skipped 'counts of a device' "$why"
	finish
fi
big=$(loop big 1024)
# reads and writes so far, in sectors
moved() { awk '{ print $3, $7 }' "/sys/block/${big#/dev/}/stat"; }
sleep 0.5 # whoever looks at new devices is done
if interposer; then
	interposed plain 60 run "$TMP/n.ini" --target "$big"
	expect '1 GiB loop device: ends well' 0
	counted '1 GiB loop device' $N
	interposed plain 60 run "$TMP/w.ini" --target "$big" "--write=$big"
	expect '1 GiB loop device, writing: ends well' 0
	counted '1 GiB loop device, writing' $W
fi
before=$(moved)
limited 60 run "$TMP/n.ini" --target "$big"
expect 'an otherwise idle device' 0
check 'its sectors are ours' same "$(moved)" "$((${before% *} + N * 8)) ${before#* }"
check 'and no cache is suspected' test "$(grep -c 'from a cache' "$TMP/j")" -eq 0
before=$(moved)
limited 60 run "$TMP/w.ini" --target "$big" "--write=$big"
expect 'an otherwise idle device, writing' 0
after=$(moved) # reading is what the guard does before
check 'writing: its sectors are ours' same "${after#* }" "$((${before#* } + W * 8))"
finish
