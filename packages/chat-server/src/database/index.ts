export { Database, type Reader, type Transaction, WriteFailedError } from './database.ts';
export { NewerDatabaseError } from './migrate.ts';
export { statementsOf } from './statement.ts';
