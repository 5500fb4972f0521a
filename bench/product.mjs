// The built product on an empty data folder, and members who use its chat API.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/fingerprint.mjs';

/** An option of Node, as in `npm start` and in `scripts/release/engawa.sh`. */
export const youngMemory = '--max-semi-space-size=32';

export const reader = 'tanaka@engawa.example';
export const speakers = ['sato@engawa.example', 'suzuki@engawa.example', 'kato@engawa.example', 'ito@engawa.example'];

export function newDataDirectory() {
  return mkdtempSync(join(tmpdir(), 'engawa-bench-'));
}

/**
 * The log is in the data folder. With CPU_PROFILE=folder the server writes a CPU profile there. Without a given folder, `stop`
 * deletes the temporary one.
 */
export async function startProduct({ dataDirectory: given, authMode = 'fake', environment = {} } = {}) {
  const dataDirectory = given ?? newDataDirectory();
  const { CPU_PROFILE: folder } = process.env;
  const profile = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  const log = openSync(join(dataDirectory, 'bench.log'), 'a');
  const child = spawn(process.execPath, [...profile, youngMemory, 'dist/server.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      // For `npm run bench` it names a peer.
      ZULIP_SITE: '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      AUTH_MODE: authMode,
      RATE_LIMIT: 'none',
      ...environment,
    },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: await addressOf(child),
    pid: child.pid,
    dataDirectory,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      if (given === undefined) rmSync(dataDirectory, { recursive: true });
    },
  };
}

export function addressOf(child) {
  return new Promise((found, failed) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (address) found(address);
    });
    child.once('exit', () => failed(new Error(`The server ended: ${output}`)));
  });
}

export async function authorizationOf(url, member) {
  const { api_key: key } = await call(url, 'POST', '/fetch_api_key', { username: member, password: 'demo' }, {});
  return `Basic ${btoa(`${member}:${key}`)}`;
}

export async function apiOf(url, member) {
  const Authorization = await authorizationOf(url, member);
  return (method, path, form) => call(url, method, path, form, { Authorization });
}

async function call(url, method, path, form, headers) {
  const request = { method, body: new URLSearchParams(form), headers };
  const answer = await fetch(`${url}/api/v1${path}`, request);
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
}

export async function makeStream(api, name, members) {
  const subscriptions = JSON.stringify([{ name }]);
  await api('POST', '/users/me/subscriptions', { subscriptions, principals: JSON.stringify(members) });
}

export async function makeTalk(url, name, messages) {
  const apis = await Promise.all(speakers.map((speaker) => apiOf(url, speaker)));
  await makeStream(apis[0], name, [reader, ...speakers]);
  for (let number = 0; number < messages; number += 1) await say(apis[number % apis.length], name, textOf(number));
}

export async function say(api, stream, content) {
  const { id } = await api('POST', '/messages', { type: 'stream', to: stream, topic: 'stream events', content });
  return id;
}

const sentence = '縁側で話すように、仕事の相談も気軽に書ける場所にしたいと思います。';
export const kinds = 23;

/** Typical messages: most of one or two lines, some long, some with code. */
export function textOf(number) {
  const kind = (number * 7) % kinds;
  if (kind === 0) return `#${number} ${sentence.repeat(12)}`;
  if (kind === 1) return `#${number}\n\`\`\`js\nconst a = ${number};\nif (a) {\n  go('x');\n}\n\`\`\``;
  if (kind === 2) return `#${number}\n一行\n*二行*\n三行 https://example.com/${number}\n四行\n五行`;
  return `#${number} ${sentence.repeat(3).slice(0, kind * 4)}`;
}
