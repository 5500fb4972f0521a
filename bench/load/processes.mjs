// The processes of a measurement: clients, floors, and what they take.
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A process that plays clients; see `client.mjs`. @param from the address on this machine that it calls from. */
export function startClient(from) {
  const child = fork(join(import.meta.dirname, 'client.mjs'), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a client ended with ${code}`)));
  // Nobody asks it for anything when it is stopped.
  ended.catch(() => undefined);
  const said = async (isMeant) => {
    for await (const [heard] of on(child, 'message')) {
      if (heard.error) throw new Error(heard.error);
      if (isMeant(heard)) return heard;
    }
    return undefined;
  };
  return {
    /** @returns {Promise<{ answer: unknown, share: number }>} `share`: of one processor, while it did that */
    do(deed, asked = {}) {
      const done = said(({ share }) => share !== undefined);
      child.send({ deed, from, ...asked });
      return Promise.race([done, ended]);
    },
    /** Resolves when it is ready for what it was asked to do. */
    expecting: () => Promise.race([said((heard) => heard === 'expecting'), ended]),
    stop: () => child.disconnect(),
  };
}

/** @param {'tcp' | 'http'} kind see `bareServers.mjs` */
export async function startFloor(kind) {
  const child = fork(join(import.meta.dirname, 'bareServers.mjs'), [kind], { serialization: 'advanced' });
  const [port] = await once(child, 'message');
  return {
    port,
    pid: child.pid,
    /** @param wire the bytes that it gives to everyone who waits */
    async answerWith(wire) {
      child.send(wire);
      await once(child, 'message');
    },
    stop: () => child.disconnect(),
  };
}

/** Looks at whether a process is idle, 30 ms apart: after so many it is taken for one that never is. */
const mostLooks = 300;

/** Resolves when a process has next to nothing to do any more, so that what was asked of it is done. */
export async function untilIdle(pid) {
  let [before, quiet] = [processorOf(pid), 0];
  for (let look = 0; quiet < 3 && look < mostLooks; look += 1) {
    await pause(30);
    const now = processorOf(pid);
    quiet = now - before < 3 ? quiet + 1 : 0;
    before = now;
  }
}

/** Bytes of memory that a process holds. */
export function memoryOf(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) * 1024;
}

/** Milliseconds of processor that a process's main thread has had: for it alone, however busy the machine is. */
export function processorOf(pid) {
  const [onProcessor] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(onProcessor) / 1e6;
}
