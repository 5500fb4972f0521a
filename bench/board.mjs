/*
 * `npm run bench:board`: Debian's Prometheus reads `/metrics` every two seconds while the server is under load for five minutes. Then each
 * query of the board `docs/monitoring/grafana.json` must have figures, no alert may fail to evaluate, and the panels are drawn with these
 * figures into `docs/monitoring/board.png`. Grafana is not in Debian, so `boardPicture.mjs` draws, in the order and units of the board.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../packages/server/src/testing/ports.ts';
import { buildServer } from '../scripts/build.mjs';
import { root } from '../scripts/fingerprint.mjs';
import { drawBoard } from './boardPicture.mjs';
import { startClient } from './load/processes.mjs';
import { makeOrganisation } from './load/organisation.mjs';
import { newDataDirectory, startProduct } from './product.mjs';

const program = '/usr/bin/prometheus';
const [memberCount, teamSize] = [1000, 100];
/** Seconds of each phase, and how many members send in it. */
const phases = [
  [30, 0],
  [60, 1],
  [60, 4],
  [60, 10],
  [40, 0],
  [50, 2],
];
const scrapeSeconds = 2;
/** Replaces Grafana's variables. Grafana's own rate interval is four scrapes. */
const variables = { $instance: '.*', $__rate_interval: `${4 * scrapeSeconds}s` };

if (!existsSync(program)) {
  console.error(`${program} is missing: apt-get install prometheus`);
  process.exit(1);
}
buildServer();
const dataDirectory = newDataDirectory();
const { members, teams } = await makeOrganisation(dataDirectory, { memberCount, audiences: [], teamSize });
const port = await freePort();
const product = await startProduct({
  dataDirectory,
  authMode: 'password',
  environment: {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    // Nothing listens there, so mails fail.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'engawa@bench.example',
  },
});
let prometheus;
try {
  prometheus = await startPrometheus(new URL(product.url).host);
  const started = Date.now() / 1000;
  await putLoad();
  const panels = await readBoard(started, Date.now() / 1000);
  const missing = panels.flatMap(({ title, queries }) =>
    queries.filter(({ series }) => series.length === 0).map(({ expr }) => `${title}: ${expr}`),
  );
  for (const line of missing) console.error(`no figures: ${line}`);
  const rules = await ask('rules');
  const alerts = rules.groups.flatMap((group) => group.rules);
  for (const { name, state, health, lastError } of alerts) console.log(`${name}: ${health}, ${state} ${lastError ?? ''}`);
  const queries = panels.flatMap((panel) => panel.queries);
  console.log(
    `${queries.length - missing.length} of ${queries.length} queries have figures; load of the machine ${loadavg()[0].toFixed(1)}`,
  );
  if (missing.length > 0 || alerts.some(({ health }) => health !== 'ok')) process.exitCode = 1;
  else await drawBoard(panels, join(root, 'docs/monitoring/board.png'));
} finally {
  await prometheus?.stop();
  await product.stop();
  rmSync(dataDirectory, { recursive: true });
}

async function putLoad() {
  // Connections per address are limited.
  const [waiting, sending, reading] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map(startClient);
  const server = { host: new URL(product.url).host, port };
  const authorizations = members.map(({ authorization }) => authorization);
  const { answer: queues } = await waiting.do('register', { ...server, authorizations });
  await waiting.do('wait', { ...server, authorizations, queues, keepsPolling: true });
  for (const [index, [seconds, senders]] of phases.entries()) {
    console.error(`${senders} senders for ${seconds} s …`);
    const sent = senders > 0 ? send(sending, server, authorizations, senders, seconds) : pause(seconds * 1000);
    const read = reading.do('call', {
      ...server,
      method: 'GET',
      path: '/messages?anchor=newest&num_before=100&num_after=0',
      authorizations: authorizations.slice(0, seconds * 10),
    });
    const work = [sent, read];
    if (index === 2) work.push(refuseSignIns());
    if (index === 3) work.push(requestMails());
    await Promise.all(work);
    if (index === 3) makeBackup();
  }
  for (const client of [waiting, sending, reading]) client.stop();
}

function send(client, server, authorizations, senders, seconds) {
  const own = Array.from({ length: senders }, (_, index) => index % teams.length);
  return client.do('sendFor', {
    ...server,
    authorizations: own.map((team) => authorizations[team * teamSize]),
    streams: own.map((team) => teams[team]),
    seconds,
    mark: 'board',
  });
}

async function post(path, body, type) {
  const answer = await fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': type, Origin: product.url },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function refuseSignIns() {
  for (const { email } of members.slice(0, 40)) {
    const form = new URLSearchParams({ username: email, password: 'wrong' });
    await post('/api/v1/fetch_api_key', form.toString(), 'application/x-www-form-urlencoded');
    await pause(500);
  }
}

async function requestMails() {
  for (const { email } of members.slice(40, 60)) {
    await post('/api/password/forgotten', JSON.stringify({ email }), 'application/json');
    await pause(1000);
  }
}

function makeBackup() {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-backup-'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/engawa.mjs', 'backup', directory], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDirectory },
    encoding: 'utf8',
  });
  rmSync(directory, { recursive: true });
  if (status !== 0) throw new Error(stdout + stderr);
}

async function startPrometheus(target) {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-prometheus-'));
  mkdirSync(join(directory, 'data'));
  const configuration = {
    global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: '5s' },
    scrape_configs: [{ job_name: 'engawa', static_configs: [{ targets: [target] }] }],
    rule_files: [join(root, 'docs/monitoring/alerts.yaml')],
  };
  // JSON is YAML.
  writeFileSync(join(directory, 'prometheus.yaml'), JSON.stringify(configuration));
  const ownPort = await freePort();
  const words = [
    `--config.file=${join(directory, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${ownPort}`,
    '--log.level=warn',
  ];
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

async function ask(path, parameters = {}) {
  const answer = await fetch(`${prometheus.url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
  const { status, data, error } = await answer.json();
  if (status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${error}`);
  return data;
}

/** The panels of the board with the series of their queries. */
async function readBoard(start, end) {
  const { panels } = JSON.parse(readFileSync(join(root, 'docs/monitoring/grafana.json'), 'utf8'));
  const read = panels.map(async ({ type, title, gridPos, fieldConfig, targets }) => ({
    type,
    title,
    gridPos,
    unit: fieldConfig.defaults.unit,
    queries: await Promise.all(targets.map((target) => readQuery(target, { start, end }))),
  }));
  return Promise.all(read);
}

async function readQuery({ expr, legendFormat }, span) {
  const query = Object.entries(variables).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
  const { result } = await ask('query_range', { query, ...span, step: scrapeSeconds });
  const series = result.map(({ metric, values }) => ({
    name: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ''),
    points: values.map(([time, value]) => [time - span.start, Number(value)]).filter(([, value]) => Number.isFinite(value)),
  }));
  return { expr, series: series.filter(({ points }) => points.length > 0) };
}
