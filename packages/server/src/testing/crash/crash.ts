import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seeded } from '@engawa/chat-server/testing/random';
import { examine } from '../../doctor/doctor.ts';
import { follow } from './follower.ts';
import { type Member, type Site, siteOn } from './site.ts';
import { judge } from './verdict.ts';
import { write } from './writer.ts';

export interface CrashOptions {
  readonly times: number;
  /** Determines the random choices; the machine's timing still varies. */
  readonly seed: number;
  readonly dataDirectory: string;
  readonly tell?: (round: Round) => void;
}

export interface Round {
  readonly killed: number;
  readonly acknowledged: number;
  readonly lostAnswers: number;
  readonly cutPolls: number;
  readonly events: number;
}

const killsPerRound = 50;
/** The maximum of acknowledged messages and of milliseconds between two kills. */
const mostOfLife = { messages: 15, milliseconds: 2000 } as const;
const mostDelayMilliseconds = 20;
/** Milliseconds that a start usually takes. */
const start = 600;
const writers = ['sato', 'suzuki', 'tanaka'] as const;

/** @throws AssertionError if something acknowledged is lost, duplicated or changed. */
export async function crash({ times, seed, dataDirectory, tell = () => undefined }: CrashOptions): Promise<readonly Round[]> {
  const random = seeded(seed);
  const site = siteOn(dataDirectory);
  const rounds: Round[] = [];
  try {
    await site.open();
    const members = await Promise.all(writers.map((name) => site.signIn(name)));
    const reader = await site.signIn('yamamoto');
    for (let killed = 0; killed < times; killed += killsPerRound) {
      const round = await playRound(
        { site, random, members, reader, dataDirectory },
        rounds.length,
        Math.min(killsPerRound, times - killed),
      );
      rounds.push(round);
      tell(round);
    }
    await site.stop();
  } finally {
    await site.kill();
  }
  return rounds;
}

interface Play {
  readonly site: Site;
  readonly random: Random;
  readonly members: readonly Member[];
  readonly reader: Member;
  readonly dataDirectory: string;
}

async function playRound({ site, random, members, reader, dataDirectory }: Play, number: number, kills: number): Promise<Round> {
  const topic = `${number + 1} 回目`;
  const followers = await Promise.all([...members, reader].map(follow));
  const writing = new AbortController();
  const { signal } = writing;
  const known: number[] = [];
  const note = (id: number) => void known.push(id);
  const ledgers = members.map((member) =>
    write({ site, member, topic, random: seeded(random.below(2 ** 31)), signal, known, note }),
  );
  // A failure of any writer ends the round.
  const fault = Promise.all(ledgers);
  fault.catch(() => undefined);
  for (let kill = 1; kill <= kills; kill += 1) {
    if (kill === kills || random.chance(0.8)) {
      await Promise.race([lifeOf(random, known), fault]);
      await site.kill();
      if (kill < kills) await site.open();
    } else {
      await site.kill();
      await site.openFor(random.below(start));
      await site.open();
    }
  }
  await assertWhole(dataDirectory);
  await site.open();
  await Promise.race([lifeOf(random, known), fault]);
  writing.abort();
  const told = await fault;
  const [forReader, ...forWriters] = (await Promise.all(followers.map((each) => each.finish()))).toReversed();
  assert.ok(forReader);
  const witnesses = members.map((member, index) => {
    const [ledger, followed] = [told[index], forWriters[members.length - 1 - index]];
    assert.ok(ledger && followed);
    return { member, ledger, followed };
  });
  await judge(site, topic, witnesses, { member: reader, followed: forReader });
  return {
    killed: kills,
    acknowledged: sum(told, ({ messages }) => messages.size),
    lostAnswers: sum(told, ({ lost }) => lost),
    cutPolls: sum([forReader, ...forWriters], ({ cut }) => cut),
    events: sum([forReader, ...forWriters], ({ events }) => events),
  };
}

/** Ends at a random moment while members receive acknowledgements. */
async function lifeOf(random: Random, known: readonly number[]): Promise<void> {
  const enough = known.length + random.below(mostOfLife.messages);
  const end = performance.now() + mostOfLife.milliseconds;
  while (known.length < enough && performance.now() < end) await pause(1);
  await pause(random.below(mostDelayMilliseconds));
}

async function assertWhole(dataDirectory: string): Promise<void> {
  const environment = { DATA_DIR: dataDirectory };
  const findings = await examine({ environment, backups: undefined, now: Date.now() });
  // Free disk space is ignored, because it depends on the machine that runs the test.
  const faults = findings.filter(({ check, level }) => level === 'problem' && check !== 'disk');
  assert.deepEqual(
    faults.map(({ en }) => en),
    [],
    'the doctor finds fault with what is left',
  );
  const index = new DatabaseSync(join(dataDirectory, 'chat/search.db'));
  try {
    const found = index.prepare('PRAGMA integrity_check').all();
    assert.deepEqual(
      found.map((row) => row['integrity_check']),
      ['ok'],
    );
  } finally {
    index.close();
  }
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
