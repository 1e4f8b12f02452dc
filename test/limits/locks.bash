# 10,000 names in one call, with the settings as they come.
names='ARRAY(SELECT n::text FROM generate_series(1, 10000) AS n)'
got=$(psql -XAtq -c 'BEGIN' -c "SELECT arbiter.lock_entities($names)" 2>&1 | tr '\n' ' ')
case $got in
*max_locks_per_transaction*) is 53200 53200 'no room for 10,000 locks: the hint names the setting' ;;
*) is "$got" ' ' '10,000 names are locked at once' ;;
esac
sql "SELECT arbiter.create_ledger('shop', 'l')" >/dev/null
seconds took sql "SELECT count(*) FROM arbiter.claim_keys('shop', 'l', $names)"
is "$(sql 'SELECT count(*) FROM shop.claims')" 10000 "10,000 keys are claimed in one call ($took s)"
