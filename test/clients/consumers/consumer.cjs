// Applies deliveries, one JSON object a line, and answers each: ack, gap, fail or pass.
const readline = require('readline');
const { Client } = require('pg');

class Hopeless extends Error {}

async function apply(client, { projection, entity, revision, amount }) {
    await client.query('BEGIN');
    try {
        const { rows } = await client.query("SELECT arbiter.advance('shop', $1, $2, $3) AS fresh", [projection, entity, revision]);
        if (rows[0].fresh) {
            await client.query('UPDATE model SET total = total + $1, applied = applied + 1 WHERE projection = $2 AND account = $3', [amount, projection, entity]);
            if (projection === 'large' && amount === 99) throw new Hopeless('nobody takes 99');
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
        const call = error instanceof Hopeless ? 'pass_event' : 'fail_event';
        await client.query(`SELECT arbiter.${call}('shop', $1, $2, $3, $4)`, [event.projection, event.entity, event.revision, error.message]);
        return error instanceof Hopeless ? 'pass' : 'fail';
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
