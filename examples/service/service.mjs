// npm install pg; the server is where PGHOST, PGPORT and PGDATABASE say. Nothing here needs a session: it may be a
// pooler's in transaction mode.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

const pool = new pg.Pool({ max: 4 });
const shows = [['Grand Hall', '2027-01-31'], [' grand hall', '2027-02-01'], ['Old Mill', '2027-01-31']];
const told = { sold: 0, full: 0, again: 0, mailed: 0 };

async function transaction(work) {
    const client = await pool.connect();
    try {
        await client.query('BEGIN');
        const result = await work((sql, values) => client.query(sql, values).then(({ rows }) => rows));
        await client.query('COMMIT');
        return result;
    } catch (error) {
        await client.query('ROLLBACK');
        throw error;
    } finally {
        client.release();
    }
}

// RB001: decided from a state that is no more. 40001, 40P01: the server chose another. Begin anew, with the same id.
const RETRY = new Set(['RB001', '40001', '40P01']);
async function retrying(work, attempts = 50) {
    for (let attempt = 1; ; attempt++) {
        try {
            return await transaction(work);
        } catch (error) {
            if (!RETRY.has(error.code) || attempt === attempts) throw error;
            told.again++;
            await new Promise(resolve => setTimeout(resolve, Math.random() * 10 * attempt));
        }
    }
}

async function register(venue, day) {
    const { rows: [{ stream }] } = await pool.query(
        `SELECT arbiter.stream_name('show', theatre.show_id($1, $2)) AS stream`, [venue, day]);
    try {
        await pool.query(`SELECT arbiter.append('theatre', $1, arbiter.no_stream(), 'ShowAnnounced', '{"seats": 20}')`, [stream]);
    } catch (error) {
        if (error.code !== 'RB001') throw error; // somebody else has announced it
    }
    return stream;
}

async function sell(stream, guest) {
    const id = randomUUID(); // of the command: repeated, it is recognised
    const seat = await retrying(async query => {
        const events = await query(`SELECT type, data, head FROM arbiter.load_stream('theatre', $1)`, [stream]);
        const seats = events.find(({ type }) => type === 'ShowAnnounced').data.seats;
        const sold = events.filter(({ type }) => type === 'SeatSold').length;
        if (sold === seats) return null;
        await query(`SELECT arbiter.append('theatre', $1, $2, 'SeatSold', $3::jsonb, id => $4::uuid)`,
            [stream, events[0].head, { seat: sold + 1, guest }, id]); // head is a bigint: a string, and stays one
        return sold + 1;
    });
    told[seat === null ? 'full' : 'sold']++;
}

const project = () => transaction(async query => {
    await query(`SELECT arbiter.lock_entity('consumer-seats')`); // one at a time; advance would tell anyway
    const events = await query(`SELECT * FROM arbiter.read_feed('theatre', arbiter.cursor('theatre', 'seats'))`);
    for (const { stream, revision, type, data } of events) {
        const [{ first }] = await query(`SELECT arbiter.advance('theatre', 'seats', $1, $2) AS first`, [stream, revision]);
        if (first && type === 'SeatSold')
            await query('INSERT INTO theatre.seats VALUES ($1, $2, $3)', [stream, data.seat, data.guest]);
    }
    if (events.length > 0) await query(`SELECT arbiter.save_cursor('theatre', 'seats', $1)`, [events.at(-1).position]);
    return events.length;
});

async function sendMails(sender) {
    const { rows } = await pool.query(`SELECT stream || '/' || seat AS mail FROM theatre.seats`); // a hint
    for (const { mail } of rows) {
        const { rows: [{ outcome, token }] } = await pool.query(`SELECT outcome, token FROM arbiter.claim('theatre', 'mails', $1)`, [mail]);
        if (outcome !== 'won') continue; // committed: from here on it is ours alone
        await pool.query('INSERT INTO theatre.outside VALUES ($1, $2)', [mail, sender]);
        await pool.query(`SELECT arbiter.settle('theatre', 'mails', $1, $2, 'done')`, [mail, token]);
        told.mailed++;
    }
}

const streams = [];
for (const show of shows) streams.push(await register(...show));
await Promise.all(streams.flatMap(stream => Array.from({ length: 10 }, (_, n) => sell(stream, `node ${n}`))));
while (await project() > 0);
await sendMails('node');
console.log(`node: sold ${told.sold}, full ${told.full}, mailed ${told.mailed}, decided again ${told.again}`);
await pool.end();
