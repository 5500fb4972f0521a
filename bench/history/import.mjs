/*
 * Imports of 20,000 people by an administrator of the demo organisation, into many departments and into one: the longest stall of
 * the server's main thread for each of the calls.
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
const departments = { '440 departments': sectionOf, 'one department': () => '本社' };

export async function measure({ log }) {
  const figures = [];
  for (const [name, departmentOf] of Object.entries(departments)) figures.push(...(await measureInto(name, departmentOf, log)));
  return figures;
}

async function measureInto(into, departmentOf, log) {
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
    const read = await stallOf(() => call('read', fileOf(departmentOf)));
    const lines = importLines(read.answer);
    const preview = await stallOf(() => call('preview', lines));
    const { fingerprint, difference } = preview.answer;
    if (difference.members.made.length !== people) throw new Error('the preview does not have all people');
    const apply = await stallOf(() => call(`apply?fingerprint=${fingerprint}`, lines));
    return [
      ['reading the file', read],
      ['the preview', preview],
      ['applying it', apply],
    ].map(([name, { stall }]) => ({
      name: `an import of ${people.toLocaleString('en')} people into ${into}, ${name}: longest stall of the server`,
      value: stall,
      unit: 'ms',
      reference: { name: 'limit', value: 50, kind: 'limit' },
      detail: `without calls ${quiet.toFixed(0)} ms`,
    }));
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
