// Two streams as Emmett itself writes them, and a lost race. argv: where the server is.
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

const store = getPostgreSQLEventStore(process.argv[2]);
const added = (sku) => ({ type: 'ItemAdded', data: { sku } });
await store.appendToStream('cart-1', [added('A'), added('B')], { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' });
await store.appendToStream('cart-2', [added('C')]);
await store.appendToStream('cart-1', [{ type: 'Confirmed', data: {} }], { expectedStreamVersion: 2n });
const refused = await store.appendToStream('cart-1', [added('D')], { expectedStreamVersion: 2n }).catch((error) => error);
console.log(refused instanceof Error ? refused.constructor.name.replace(/^_/, '') : 'appended');
await store.close();
