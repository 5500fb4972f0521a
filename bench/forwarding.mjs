/*
 * Measures the forwarding of voices in a call: `npm run bench:calls`; other sizes with VOICES=16 SECONDS=60. Each participant sends
 * packets as Opus does at 32 kbit/s, 50 a second, all through one UDP port. The participants are in a separate process, so that
 * the figures are those of the server and of the forwarding process alone. On Linux the main thread of the server has the first
 * processor for itself, so that its event loop waits only for its own work.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServer } from '../scripts/build.mjs';
import { freeUdpPort } from '../packages/server/src/testing/ports.ts';
import { createSfu } from '../packages/server/src/calls/sfu/sfu.ts';
import { pinClient, pinServer } from './load/processors.mjs';

const voices = Number(process.env.VOICES ?? 12);
const seconds = Number(process.env.SECONDS ?? 20);
/** Of `/proc`, a second. */
const clockTicks = 100;

buildServer();
const participants = fork(new URL('./calls/voices.mjs', import.meta.url));
let forwardingProcess;
const sfu = createSfu({
  port: await freeUdpPort(),
  address: undefined,
  now: Date.now,
  log({ event, pid }) {
    if (event !== 'sfu_ready') return console.error(event);
    forwardingProcess = pid;
    return pinClient(pid);
  },
  onLost: () => process.exit(1),
  signal: (call, participant, signal) => void participants.send({ participant, ...signal }),
});
pinServer(process.pid);
pinClient(participants.pid);
participants.on('message', (message) => {
  if (message.kind === 'answer') sfu.answer('call', message.participant, message.answer);
});

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
await pause(5000);
const quiet = delay.percentile(99);

for (let voice = 0; voice < voices; voice += 1) sfu.join('call', String(voice));
await heard('connected', (count) => count === voices);
participants.send({ kind: 'talk' });
await pause(2000);

delay.reset();
const before = { ...measure(), ...(await received()) };
await pause(seconds * 1000);
const after = { ...measure(), ...(await received()) };
delay.disable();

const packets = after.packets - before.packets;
const spent = after.processor - before.processor;
const wall = (after.at - before.at) / 1000;
console.log(`pairs that hear each other: ${after.pairs} of ${voices * (voices - 1)}`);
console.log(
  `packets forwarded: ${Math.round(packets / wall)} a second, ${percent(packets / (wall * 50 * voices * (voices - 1)))} of those due`,
);
console.log(
  `processor of the forwarding process: ${((spent * 1e6) / packets).toFixed(1)} µs per packet, ${percent(spent / wall)} of a core`,
);
console.log(`memory of the forwarding process: ${memory()} MB`);
console.log(`event loop of the server, p99: ${milliseconds(delay.percentile(99))}; without a call ${milliseconds(quiet)}`);
participants.kill();
await sfu.close();
process.exit(after.pairs === voices * (voices - 1) ? 0 : 1);

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/** The measurement itself has a resolution of 5 ms. */
function milliseconds(nanoseconds) {
  return `${(nanoseconds / 1e6).toFixed(1)} ms`;
}

function measure() {
  const fields = readFileSync(`/proc/${forwardingProcess}/stat`, 'utf8').split(') ')[1].split(' ');
  return { processor: (Number(fields[11]) + Number(fields[12])) / clockTicks, at: performance.now() };
}

function memory() {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${forwardingProcess}/status`, 'utf8'))[1]) / 1024);
}

async function received() {
  participants.send({ kind: 'count' });
  return heard('counted');
}

function heard(kind, accepted = () => true) {
  return new Promise((resolve) => {
    participants.on('message', function listen(message) {
      if (message.kind !== kind || !accepted(message.count)) return;
      participants.off('message', listen);
      resolve(message);
    });
  });
}
