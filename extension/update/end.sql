
-- The library that stands under the extension now must derive what it derived before; otherwise nothing is updated.
SELECT arbiter.require_undrifted(extversion) FROM pg_catalog.pg_extension WHERE extname = 'arbiter';
