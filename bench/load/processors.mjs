/*
 * Gives processes processors of their own, on Linux with at least two. Otherwise Linux often wakes a client on the processor of the
 * server that writes to it, although another one is idle. How often depends on which processors have just been used, so it differs
 * between servers for reasons that are not their work.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const count = availableParallelism();

/** The main thread runs on the first processor. Other threads, such as that of the search, may use all. */
export function pinServer(pid) {
  pin(pid, '0');
}

/** All threads leave the first processor to the server. */
export function pinClient(pid) {
  pin(pid, `1-${count - 1}`, '--all-tasks');
}

/** @param processors as `taskset` names them. */
function pin(pid, processors, ...flags) {
  if (process.platform !== 'linux' || count < 2) return;
  execFileSync('taskset', [...flags, '--cpu-list', '--pid', processors, String(pid)], { stdio: 'ignore' });
}
