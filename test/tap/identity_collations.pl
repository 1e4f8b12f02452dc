# The locale is configuration and an id is not: databases of every kind of collation derive the same ids,
# and so do sessions of every setting and a standby.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ], allows_streaming => 1);
$node->start;

my $derive = slurp_file('test/tap/derivations.sql');
my $ids = <<'SQL';
SELECT pg_catalog.md5(pg_catalog.string_agg(id, ',' ORDER BY n)), pg_catalog.count(DISTINCT id)
  FROM (SELECT n, derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001',
                   ARRAY['Z', 'z', U&'\00e9', U&'\d7ff', U&'\e000', U&'\ff5e', U&'\+01f600', 'I', U&'\0130', U&'\0131',
                         'i', U&'\03a3', U&'\03c2', U&'\00df', U&'\1e9e', U&'\212b', U&'\fb01', n::text, 'co-op', 'coop',
                         'CO-OP', 'a b', 'ab', U&'a\0308', U&'\00e4'])::text AS id
          FROM pg_catalog.generate_series(1, 50) AS n) AS s
UNION ALL
SELECT pg_catalog.md5(arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', U&'\00e9\+01f600')::text),
       pg_catalog.length(arbiter.canonical_strings(ARRAY[U&'\00e9', 'a"b']));
SQL

# A hostile session changes how PostgreSQL prints and compares; ids are not printed.
my $odd_session = <<'SQL';
SET TimeZone = 'Asia/Kathmandu'; SET DateStyle = 'German'; SET IntervalStyle = 'sql_standard';
SET bytea_output = 'escape'; SET extra_float_digits = -15; SET standard_conforming_strings = on;
SET lc_numeric = 'C.UTF-8'; SET lc_time = 'C.UTF-8'; SET lc_monetary = 'C.UTF-8'; SET lc_messages = 'C.UTF-8';
CREATE SCHEMA trap;
CREATE FUNCTION trap.derived_id(text, text, text, uuid, text[]) RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid';
CREATE FUNCTION trap.no(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR trap.< (FUNCTION = trap.no, LEFTARG = text, RIGHTARG = text);
CREATE OPERATOR trap.= (FUNCTION = trap.no, LEFTARG = text, RIGHTARG = text);
SET search_path = trap, pg_catalog;
SET client_encoding = 'UTF8';
SQL

my %databases = (
    'c' => q{LOCALE 'C'},
    'c_utf8' => q{LOCALE 'C.UTF-8'},
    'icu_und' => q{LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C.UTF-8'},
    'icu_tr' => q{LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C.UTF-8'},
    'icu_sv' => q{LOCALE_PROVIDER icu ICU_LOCALE 'sv' LOCALE 'C.UTF-8'},
);
my $expected;
for my $name (sort keys %databases) {
    $node->safe_psql('postgres', "CREATE DATABASE $name TEMPLATE template0 ENCODING 'UTF8' $databases{$name}");
    $node->safe_psql($name, "CREATE EXTENSION arbiter; $derive");
    my $got = $node->safe_psql($name, $ids);
    $expected //= $got;
    is($got, $expected, "$name: the same ids");
    is($node->safe_psql($name, $odd_session . $ids), $expected, "$name: in an odd session too");
}

# Columns whose collation finds 'a' and 'A', or 'é' and 'e', equal.
my $columns = $node->safe_psql('icu_und', <<'SQL');
CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
CREATE EXTENSION citext;
CREATE DOMAIN serial_number AS text CHECK (value <> '');
CREATE TABLE keys (plain text COLLATE "C", blind text COLLATE blind, padded char(8), short varchar(8), ci citext, serial serial_number);
INSERT INTO keys VALUES ('é', 'é', 'é', 'é', 'é', 'é'), ('E', 'E', 'E', 'E', 'E', 'E'), ('e', 'e', 'e', 'e', 'e', 'e');
CREATE TABLE lists (blind text[] COLLATE blind);
INSERT INTO lists SELECT pg_catalog.array_agg(blind) FROM keys;
SELECT count(DISTINCT derive.text_id(plain)),
       count(DISTINCT derive.text_id(blind)), count(DISTINCT derive.text_id(padded)),
       bool_and(derive.text_id(plain) = derive.text_id(blind) AND derive.text_id(plain) = derive.text_id(padded)
                AND derive.text_id(plain) = derive.text_id(short) AND derive.text_id(plain) = derive.text_id(ci)
                AND derive.text_id(plain) = derive.text_id(serial)),
       (SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', blind)
             = derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', ARRAY['e', U&'\00e9']) FROM lists)
  FROM keys
SQL
is($columns, '3|3|3|t|t', 'a nondeterministic collation makes no two names one');

# A standby derives the same, from the function alone.
$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('icu_tr', $ids), $expected, 'a standby: the same ids');
is($standby->safe_psql('icu_tr', q{SELECT string_agg(DISTINCT verdict, ',') FROM arbiter.verify_derivations('derive')}),
    'ok', 'a standby can verify them');
$standby->stop;
$node->stop;
done_testing();
