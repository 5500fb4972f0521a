import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that are used when all that can be let go of is gone. */
export function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new TypeError('this Node cannot be asked to collect');
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
