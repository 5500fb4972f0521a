// Shows with system calls that a message is on the disk before its send is answered. Needs strace.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';

build();
const folder = mkdtempSync(join(tmpdir(), 'engawa-trace-'));
const trace = join(folder, 'trace');
const calls = 'trace=read,write,writev,sendto,pwrite64,fdatasync,fsync';
const server = spawn('strace', ['-D', '-f', '-y', '-s', '60', '-e', calls, '-o', trace, process.execPath, 'dist/server.mjs'], {
  env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
server.on('error', () => {
  console.error('strace is needed: apt-get install strace');
  process.exit(1);
});
let said = '';
for await (const chunk of server.stdout) {
  said += chunk;
  if (said.includes('http://')) break;
}
const [site] = /http:\/\/[\d.:]+/.exec(said);
const form = (values) => ({ method: 'POST', body: new URLSearchParams(values) });
const username = 'tanaka@engawa.example';
const { api_key: key } = await (await fetch(`${site}/api/v1/fetch_api_key`, form({ username, password: 'demo' }))).json();
await fetch(`${site}/api/v1/messages`, {
  ...form({ type: 'stream', to: 'プロダクト開発部', topic: 'stream events', content: 'traced' }),
  headers: { Authorization: `Basic ${btoa(`${username}:${key}`)}` },
});
const ended = new Promise((resolve) => server.on('exit', resolve));
server.kill('SIGTERM');
await ended;

const lines = readFileSync(trace, 'utf8').split('\n');
const request = lines.findIndex((line) => line.includes('POST /api/v1/messages'));
const answer = lines.findIndex((line, at) => at > request && /(write|writev|sendto)\(.*HTTP\/1\.1 200/.test(line));
const between = lines.slice(request, answer + 1).filter((line) => /chat\.db|POST|HTTP/.test(line));
console.log(between.map((line) => line.replaceAll(folder, '').slice(0, 118)).join('\n'));
rmSync(folder, { recursive: true });
const synced = between.findIndex((line) => / f(data)?sync\(/.test(line));
if (synced < 0 || synced > between.length - 2) {
  console.error('The answer was sent before the message was on the disk.');
  process.exit(1);
}
process.exit(0);
