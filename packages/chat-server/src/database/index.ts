export { Database, DatabaseClosedError, type Reader, type Transaction, WriteFailedError, openReader } from './database.ts';
export { NewerDatabaseError, versionOfFile } from './migrate.ts';
export { type Columns, type Value, each, queriesOf } from './statement.ts';
export { type StorageFault, storageFaultOf } from './fault.ts';
