const fs = require('fs');
const { Client } = require('pg');

const read = {
    text: value => value,
    bigint: BigInt,
    boolean: value => value === 'true',
    uuid: value => value,
    json: value => JSON.stringify(JSON.parse(value)), // pg takes an array for one of PostgreSQL's
    interval: value => `${value} seconds`,
    'text[]': JSON.parse,
    bytea: value => Buffer.from(value),
    null: () => null,
};

function readCalls(path) {
    const text = fs.readFileSync(path, 'utf8').split('\n').filter(line => !line.startsWith('#')).join('\n');
    return text.trim().split('\n\n').map(block => {
        const [signature, statement, ...rest] = block.split('\n').map(line => line.trim());
        const outcome = sign => rest.filter(line => line.startsWith(sign)).map(line => line.slice(2))[0];
        const args = rest.filter(line => !/^[=>]/.test(line)).map(line => line.match(/^(\S+) ?(.*)$/).slice(1));
        return { signature, statement, args, expected: outcome('='), name: outcome('>') };
    });
}

async function call(client, statement, values) {
    const block = !statement.startsWith('CALL');
    if (block) await client.query('BEGIN');
    try {
        const { rows } = await client.query({ text: statement, values, rowMode: 'array' });
        if (block) await client.query('COMMIT');
        return rows[0];
    } catch (error) {
        if (block) await client.query('ROLLBACK');
        throw error;
    }
}

(async () => {
    const client = new Client();
    await client.connect();
    let number = 0;
    const known = {};
    for (const one of readCalls(process.argv[2])) {
        let problem;
        try {
            const values = one.args.map(([kind, value]) => read[kind](value.startsWith(':') ? known[value.slice(1)] : value));
            const answer = String((await call(client, one.statement, values))?.[0]);
            if (one.expected !== undefined && answer !== one.expected) problem = `${answer} instead of ${one.expected}`;
            known[one.name] = answer;
        } catch (error) {
            problem = `${error.code} ${error.message}`;
        }
        if (problem) process.exitCode = 1;
        console.log(`${problem ? 'not ok' : 'ok'} ${++number} - ${one.signature}${problem ? ` # ${problem}` : ''}`);
    }
    await client.end();
})();
