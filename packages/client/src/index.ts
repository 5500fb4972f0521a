export * from './backoff.ts';
export * from './calls.ts';
export * from './clock.ts';
export * from './connection.ts';
export * from './errors.ts';
export * from './eventQueue.ts';
export * from './reply.ts';
