// Applies deliveries, one JSON object a line, and answers each: ack, gap or fail.
const readline = require('readline');
const { Client } = require('pg');

async function apply(client, { entity, revision, amount }) {
    await client.query('BEGIN');
    try {
        const { rows } = await client.query("SELECT arbiter.advance('shop', 'balance', $1, $2) AS fresh", [entity, revision]);
        if (rows[0].fresh) {
            await client.query('UPDATE balance SET total = total + $1, applied = applied + 1 WHERE account = $2', [amount, entity]);
            if (Math.random() < 0.05) throw new Error('the effect failed');
        }
        await client.query('COMMIT');
    } catch (error) {
        await client.query('ROLLBACK');
        throw error;
    }
}

async function answer(client, event) {
    try {
        await apply(client, event);
        return 'ack';
    } catch (error) {
        if (error.code === 'RB010') return 'gap';
        if (error.code) throw error;
        await client.query("SELECT arbiter.fail_event('shop', 'balance', $1, $2, $3)", [event.entity, event.revision, error.message]);
        return 'fail';
    }
}

(async () => {
    const client = new Client();
    await client.connect();
    for await (const line of readline.createInterface({ input: process.stdin })) {
        process.stdout.write(`${await answer(client, JSON.parse(line))}\n`);
    }
    await client.end();
})();
