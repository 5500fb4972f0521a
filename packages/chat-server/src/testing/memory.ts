import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use after a garbage collection. */
export function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new TypeError('this Node cannot be asked to collect');
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
