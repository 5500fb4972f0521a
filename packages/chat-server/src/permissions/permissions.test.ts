import {
  type Endpoint,
  addressDirect,
  encodeParameters,
  errorAnswer,
  fillPath,
  sendMessage,
  setTypingStatus,
  unsubscribe,
} from '@engawa/protocol';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Reply } from '../testing/eg.ts';
import { endpointOf, endpoints } from '../testing/endpoints.ts';
import type { Outcome, Refusal } from './row.ts';
import { table } from './table.ts';
import {
  type MemberName,
  type Stranger,
  type Target,
  type Template,
  type World,
  knownOf,
  makeTemplate,
  marksOf,
  members,
  missing,
  secrets,
  strangers,
  worldOf,
} from './world.ts';

let template: Template;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => template.end());

async function inWorld(look: (at: World) => Promise<void>): Promise<void> {
  const at = worldOf(template);
  try {
    await look(at);
  } finally {
    await at.end();
  }
}

type Asked = Readonly<Record<string, unknown>>;
/** A row of the table, whatever call it is of. */
interface AnyRow {
  readonly asks: (it: Target, me: ReturnType<World['person']>, at: World) => Asked;
  readonly answers: ReadonlyMap<MemberName, Outcome>;
  readonly differs?: string;
}

function ask(client: Client, endpoint: Endpoint, asked: Asked): Promise<Reply> {
  const { method } = endpoint;
  const values = encodeParameters(endpoint, asked);
  const parts = method === 'POST' ? { form: values } : { query: values };
  return client.raw({ method, path: fillPath(endpoint, asked), ...parts });
}

describe('the table of permissions', () => {
  it('has rows for every call of the protocol', () => {
    expect(Object.keys(table).toSorted()).toEqual([...endpoints.keys()].toSorted());
  });
});

const turnedAway: Readonly<Record<Stranger, { readonly code: string; readonly msg: string }>> = {
  nobody: { code: 'UNAUTHORIZED', msg: 'Not logged in: API authentication or user session required' },
  garbled: { code: 'UNAUTHORIZED', msg: 'Invalid authorization header for basic auth' },
  stolen: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  revoked: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  deactivated: { code: 'USER_DEACTIVATED', msg: 'Account is deactivated' },
};
const nowhere = { message_id: 0, stream_id: 0, user_id: 0 };

describe.each(strangers)('with the credentials of one who is %s', (stranger) => {
  it('[R6.2] every call is refused in the same words, but those that need none', async () => {
    await inWorld(async (at) => {
      for (const [name, endpoint] of endpoints) {
        const reply = await ask(at.client(stranger), endpoint, nowhere);
        if (endpoint.authentication === 'none') {
          expect(reply.text, name).toBe((await ask(at.client('nobody'), endpoint, nowhere)).text);
        } else {
          const { code, msg } = errorAnswer.parse(JSON.parse(reply.text));
          expect({ status: reply.status, code, msg }, name).toEqual({ status: 401, ...turnedAway[stranger] });
        }
      }
    });
  });
});

for (const [name, rows] of Object.entries(table)) {
  describe(name, () => {
    const endpoint = endpointOf(name);
    for (const row of rows) {
      it(`[R6.1] [R6.3] answers each as the table says: ${row.what}`, async () => {
        await expectRefused(endpoint, row);
        await expectGranted(endpoint, row);
      });
    }
  });
}

/** Whoever must be refused is, and nobody hears of it. */
async function expectRefused(endpoint: Endpoint, row: AnyRow): Promise<void> {
  const callers = [...row.answers].filter(([, outcome]) => isRefusal(outcome));
  await inWorlds(endpoint, callers, async (at, some) => {
    for (const [member, expected] of some) await expectAnswer(at, endpoint, row, member, expected);
    for (const member of [...members, 'writer'] as const) await expectSilence(at, member);
  });
}

async function expectSilence(at: World, member: Parameters<World['heard']>[0]): Promise<void> {
  expect(heardOf.parse(JSON.parse(await at.heard(member))), member).toEqual({ events: [] });
}

const heardOf = z.object({ events: z.array(z.unknown()) });

/** Whoever must be answered is, and nobody outside hears of what is inside. */
async function expectGranted(endpoint: Endpoint, row: AnyRow): Promise<void> {
  const callers = [...row.answers].filter(([, outcome]) => !isRefusal(outcome));
  await inWorlds(endpoint, callers, async (at, some) => {
    for (const [member, expected] of some) await expectAnswer(at, endpoint, row, member, expected);
    for (const member of members) {
      if (member !== 'inside') expectNothingSecret(await at.heard(member), marksOf(at.secret));
    }
  });
}

describe('what is said inside', () => {
  const typing = '打鍵';

  it('[R6.1] is heard by the one inside, and by nobody outside', async () => {
    await inWorld(async (at) => {
      const { stream } = at.secret;
      const said = { type: 'stream', to: String(stream), topic: secrets.topic, content: secrets.said };
      await at.client('writer').ok(sendMessage, said);
      await at.client('writer').ok(setTypingStatus, { op: 'start', type: 'stream', stream_id: stream, topic: typing });
      const heard = await at.heard('inside');
      expect([secrets.name, secrets.topic, secrets.said, typing].filter((word) => !heard.includes(word))).toEqual([]);
      for (const member of members) if (member !== 'inside') await expectSilence(at, member);
    });
  });

  it('[R6.1] to one of them alone is heard by that one alone', async () => {
    await inWorld(async (at) => {
      const to = addressDirect([at.person('inside').id]);
      await at.client('writer').ok(sendMessage, { type: 'direct', to, content: secrets.said });
      await at.client('writer').ok(setTypingStatus, { op: 'start', to });
      expect(await at.heard('inside')).toContain(secrets.said);
      for (const member of members) if (member !== 'inside') await expectSilence(at, member);
    });
  });

  it('[R6.1] is not told any more to one who has left before they ask', async () => {
    await inWorld(async (at) => {
      const said = { type: 'stream', to: String(at.secret.stream), topic: secrets.topic, content: secrets.said };
      await at.client('writer').ok(sendMessage, said);
      await at.client('inside').ok(unsubscribe, { subscriptions: [secrets.name] });
      expectNothingSecret(await at.heard('inside'), [secrets.topic, secrets.said]);
    });
  });
});

type Caller = readonly [member: MemberName, expected: Outcome];

/** What changes something is asked by each in a world of their own. */
async function inWorlds(
  { method }: Endpoint,
  callers: readonly Caller[],
  look: (at: World, some: readonly Caller[]) => Promise<void>,
): Promise<void> {
  const together = method === 'GET' ? [callers] : callers.map((each) => [each]);
  for (const some of together) await inWorld((at) => look(at, some));
}

async function expectAnswer(at: World, endpoint: Endpoint, row: AnyRow, member: MemberName, expected: Outcome): Promise<void> {
  const me = at.person(member);
  const asked = row.asks(at.secret, me, at);
  const reply = await ask(at.client(member), endpoint, asked);
  if (isRefusal(expected)) {
    const { code, msg } = errorAnswer.parse(JSON.parse(reply.text));
    const { status, code: expectedCode, msg: words } = expected;
    expect({ status: reply.status, code, msg }, member).toEqual({ status, code: expectedCode, msg: words(at.secret) });
  } else expect(reply.status, `${member}: ${reply.text}`).toBe(200);

  const told = withoutWhatWasAsked(reply.text, asked, at.secret);
  expectNothingSecret(told, hiddenFrom(member, expected, at.secret));
  if (expected === 'sees')
    expect(
      shown.some((word) => told.includes(word)),
      `${member}: ${reply.text}`,
    ).toBe(true);
  if (expected === 'knows') expect(told, member).toContain(secrets.name);
  const isHidden = member !== 'inside' && (expected === 'ok' || isRefusal(expected));
  if (!isHidden || row.differs !== undefined) return;

  const askedOfMissing = row.asks(missing, me, at);
  if (JSON.stringify(askedOfMissing) === JSON.stringify(asked)) return;
  const ofMissing = await ask(at.client(member), endpoint, askedOfMissing);
  expect(impersonal(ofMissing.text, at.secret), member).toBe(impersonal(reply.text, at.secret));
}

const isRefusal = (outcome: Outcome): outcome is Refusal => typeof outcome === 'object';

/** What is in the secret stream, and in the conversation of the writer with the one inside. */
const shown = [secrets.topic, secrets.content, secrets.earlierContent, secrets.direct];

/** What is gone, and what is the writer's alone, nobody sees. */
function hiddenFrom(member: MemberName, expected: Outcome, secret: Target): readonly string[] {
  if (member === 'inside') return [secrets.deletedContent, secrets.word, secret.queue];
  const known = expected === 'knows' || expected === 'done' ? knownOf(secret) : [];
  return marksOf(secret).filter((mark) => !known.includes(mark));
}

function expectNothingSecret(text: string, words: readonly string[]): void {
  expect(
    words.filter((word) => text.includes(word)),
    text,
  ).toEqual([]);
}

/** An answer may repeat what the question said. */
function withoutWhatWasAsked(text: string, asked: Asked, secret: Target): string {
  const said = JSON.stringify(asked);
  const given = marksOf(secret).filter((mark) => said.includes(mark));
  return given.reduce((left, mark) => left.replaceAll(mark, ''), text);
}

/** The answer without the ids and names that it may repeat, of the secret things and of those that are not there. */
function impersonal(text: string, secret: Target): string {
  const named = [...Object.values(secret), ...Object.values(missing)].map(String);
  const alternatives = named.map((each) => each.replaceAll('.', '\\.')).join('|');
  return text.replaceAll(new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'g'), '…');
}
