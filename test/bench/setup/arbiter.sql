-- the extension and one store
CREATE EXTENSION arbiter;
SELECT arbiter.create_store('shop');
