// Prints the schema that Emmett's PostgreSQL event store creates: asks the store itself, connects nowhere.
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

process.stdout.write(getPostgreSQLEventStore('postgresql://nowhere').schema.sql());
