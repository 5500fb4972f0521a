/*
 * Keeps a measured server and its clients on different processors. It needs Linux and at least two processors. Otherwise Linux often
 * wakes a client on the processor of the server that writes to it, although another processor is idle. How often it does so depends on
 * which processors were used last, so the servers would differ for reasons other than their work.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [first, ...others] = process.platform === 'linux' ? allowed() : [];

/** The main thread runs on the first processor, and so do the threads that it starts later, such as that of the search. */
export function pinServer(pid) {
  pin('-cp', [first], pid);
}

/** All threads leave the first processor to the server. */
export function pinClient(pid) {
  pin('-acp', others, pid);
}

function pin(flags, processors, pid) {
  if (others.length > 0) execFileSync('taskset', [flags, processors.join(','), String(pid)], { stdio: 'ignore' });
}

/** The processors that this process may use, of which a container may have only some. */
function allowed() {
  const [, list] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
