const { Pool } = require('pg');
const pool = new Pool({ max: 8 });
const items = Array.from({ length: 8 }, (_, item) => addItem(pool, process.argv[2], { sku: `S${item}` }, 100));
Promise.all(items).finally(() => pool.end());
