// The client and server processes of a measurement, and their use of memory and processor.
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export function startClient(from) {
  const child = fork(join(import.meta.dirname, 'client.mjs'), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a client ended with ${code}`)));
  // A stopped client has no pending task.
  ended.catch(() => undefined);
  const reply = async (matches) => {
    for await (const [message] of on(child, 'message')) {
      if (message.error) throw new Error(message.error);
      if (matches(message)) return message;
    }
    return undefined;
  };
  return {
    pid: child.pid,
    /** `share`: the used share of one processor. */
    do(task, parameters = {}) {
      const done = reply(({ share }) => share !== undefined);
      child.send({ task, from, ...parameters });
      return Promise.race([done, ended]);
    },
    expecting: () => Promise.race([reply((message) => message === 'expecting'), ended]),
    stop: () => child.disconnect(),
  };
}

export async function startFloor(kind) {
  const child = fork(join(import.meta.dirname, 'bareServers.mjs'), [kind], { serialization: 'advanced' });
  const [port] = await once(child, 'message');
  return {
    port,
    pid: child.pid,
    async answerWith(wire) {
      child.send(wire);
      await once(child, 'message');
    },
    stop: () => child.disconnect(),
  };
}

/** Checks, 30 ms apart, until a process counts as never idle. */
const maxChecks = 300;

export async function untilIdle(pid) {
  let [before, quiet] = [processorOf(pid), 0];
  for (let check = 0; quiet < 3 && check < maxChecks; check += 1) {
    await pause(30);
    const now = processorOf(pid);
    quiet = now - before < 3 ? quiet + 1 : 0;
    before = now;
  }
}

/** Resident bytes now and at the peak. Linux only. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** Milliseconds of the main thread, independent of other processes. */
export function processorOf(pid) {
  const [onProcessor] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(onProcessor) / 1e6;
}
