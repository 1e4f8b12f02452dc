# A million streams: an append costs what it cost at the first. The ratio is of one run, a slice at the end to one at the beginning.
slice() { sql "SELECT arbiter.append('shop', 's-' || n, -1, 'T', '{}') FROM generate_series($1, $2) AS n"; }
seconds warm slice 1 2000
seconds first slice 2001 22000
for ((from = 22001; from < 980000; from += 20000)); do slice $from $((from + 19999)) >/dev/null; done
seconds last slice $from $((from + 19999))
for ((from += 20000; from < 1000000; from += 20000)); do slice $from $((from + 19999)) >/dev/null; done
is "$(sql "SELECT count(*) >= 1000000, count(*) = count(DISTINCT stream) FROM shop.events")" 't|t' \
    "a million streams; 20,000 appends took $first s at the first ones and $last s at the last, ratio $(awk "BEGIN { printf \"%.2f\", $last / $first }")"
seconds took sql "SELECT arbiter.stream_revision('shop', 's-' || n) FROM generate_series(1, 1000000, 1000) AS n"
is "$(sql "SELECT arbiter.stream_revision('shop', 's-500000')")" 0 "any of them is found (1,000 look-ups: $took s)"
