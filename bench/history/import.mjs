/*
 * Imports of 20,000 people by an administrator of the demo organisation, into many departments and from there into one, and the
 * other way: the longest stall of the server's main thread for each of the calls.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { importLines } from '../../packages/protocol/src/administration.ts';
import { authorizationOf } from '../product.mjs';
import { answerOf, longestStall, startServer } from './serverProcess.mjs';

const people = 20_000;
const administrator = 'takahashi.koichi@engawa.example';

/** 20 divisions with 21 sections each, of which a member belongs to one. */
const sectionOf = (index) => `第${index % 20}本部/第${Math.floor(index / 20) % 21}課`;
const many = { name: '440 departments', departmentOf: sectionOf };
const one = { name: 'one department', departmentOf: () => '本社' };

export async function measure({ log }) {
  return [...(await measureImports(many, one, log)), ...(await measureImports(one, many, log))];
}

async function measureImports(first, second, log) {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-bench-'));
  const server = await startServer(directory, { isWatched: true, authMode: 'fake' });
  const authorization = await authorizationOf(server.url, administrator);
  const call = (name, body) => {
    log(`${name} …`);
    const headers = { authorization, 'content-type': 'application/octet-stream' };
    return answerOf(`${server.url}/api/administration/import/${name}`, { method: 'POST', headers }, Buffer.from(body));
  };
  const stallOf = async (run) => {
    let answer;
    const stall = await longestStall(server, async () => {
      answer = await run();
    });
    return { stall, answer: answer && JSON.parse(answer) };
  };
  try {
    const quiet = await longestStall(server, () => pause(500));
    const figures = [];
    for (const [what, { name: into, departmentOf }] of [
      ['people', first],
      ['known people', second],
    ]) {
      const read = await stallOf(() => call('read', fileOf(departmentOf)));
      const lines = importLines(read.answer);
      const preview = await stallOf(() => call('preview', lines));
      const { fingerprint, difference } = preview.answer;
      if (difference.joins.length < people) throw new Error('the preview does not have all people');
      const apply = await stallOf(() => call(`apply?fingerprint=${fingerprint}`, lines));
      const stalls = { 'reading the file': read, 'the preview': preview, 'applying it': apply };
      for (const [name, { stall }] of Object.entries(stalls)) {
        figures.push({
          name: `an import of ${people.toLocaleString('en')} ${what} into ${into}, ${name}: longest stall of the server`,
          value: stall,
          unit: 'ms',
          reference: { name: 'limit', value: 50, kind: 'limit' },
          detail: `without calls ${quiet.toFixed(0)} ms`,
        });
      }
    }
    return figures;
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
}

/** In CSV. */
function fileOf(departmentOf) {
  const lines = Array.from({ length: people }, (_, index) => {
    const number = String(index).padStart(5, '0');
    return `${number},社員 ${number},シャイン ${number},member${number}@engawa.example,${departmentOf(index)},主任`;
  });
  return ['社員番号,氏名,フリガナ,メール,部署,役職', ...lines].join('\r\n');
}
