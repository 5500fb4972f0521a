import * as api from '@engawa/protocol';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointOf, endpoints } from '../testing/endpoints.ts';
import type { Outcome, Refusal } from './row.ts';
import { table } from './table.ts';
import {
  type MemberName,
  type InvalidCredential,
  type Target,
  type ServerTemplate,
  type TestServer,
  administratorTexts,
  createTemplate,
  secretTexts,
  members,
  missing,
  secrets,
  invalidCredentials,
  serverFrom,
} from './testServer.ts';

let template: ServerTemplate;
beforeAll(async () => {
  template = await createTemplate();
});
afterAll(() => template.close());

async function withServer(check: (at: TestServer) => Promise<void>): Promise<void> {
  const at = serverFrom(template);
  try {
    await check(at);
  } finally {
    await at.close();
  }
}

type CallParameters = Readonly<Record<string, unknown>>;
interface AnyRow {
  readonly parameters: (it: Target, me: ReturnType<TestServer['person']>, at: TestServer) => CallParameters;
  readonly answers: ReadonlyMap<MemberName, Outcome>;
  readonly differs?: string;
}

const refusals: Readonly<Record<InvalidCredential, { readonly code: string; readonly msg: string }>> = {
  missing: { code: 'UNAUTHORIZED', msg: 'Not logged in: API authentication or user session required' },
  malformed: { code: 'UNAUTHORIZED', msg: 'Invalid authorization header for basic auth' },
  stolen: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  revoked: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  deactivated: { code: 'USER_DEACTIVATED', msg: 'Account is deactivated' },
};
/** Parameters for the path that name nothing. */
const nowhere = ({ parameters }: api.Endpoint) => Object.fromEntries(Object.keys(parameters).map((name) => [name, 0]));

it.each(invalidCredentials)(
  '[R6.2] Every call that requires a sign-in refuses %s credentials with the same error',
  async (credential) => {
    await withServer(async (at) => {
      for (const [name, endpoint] of endpoints) {
        const reply = await at.client(credential).reply(endpoint, nowhere(endpoint));
        if (endpoint.authentication === 'none') {
          expect(reply.text, name).toBe((await at.client('missing').reply(endpoint, nowhere(endpoint))).text);
        } else {
          const { code, msg } = api.errorAnswer.parse(JSON.parse(reply.text));
          expect({ status: reply.status, code, msg }, name).toEqual({ status: 401, ...refusals[credential] });
        }
      }
    });
  },
);

for (const [name, rows] of Object.entries(table)) {
  const endpoint = endpointOf(name);
  for (const row of rows) {
    it(`[R6.1] [R6.3] Every role that calls ${name} for ${row.title} gets the answer in the permission table`, async () => {
      await expectRefused(endpoint, row);
      await expectGranted(endpoint, row);
    });
  }
}

/** Expects refusals for every listed member, and no events for anyone. */
async function expectRefused(endpoint: api.Endpoint, row: AnyRow): Promise<void> {
  const callers = [...row.answers].filter(([, outcome]) => isRefusal(outcome));
  await withServers(endpoint, callers, async (at, callersHere) => {
    for (const [member, expected] of callersHere) await expectAnswer(at, endpoint, row, member, expected);
    for (const member of [...members, 'writer'] as const) await expectNoEvents(at, member);
  });
}

async function expectNoEvents(at: TestServer, member: Parameters<TestServer['receivedBy']>[0]): Promise<void> {
  expect(eventsAnswer.parse(JSON.parse(await at.receivedBy(member))), member).toEqual({ events: [] });
}

const eventsAnswer = z.object({ events: z.array(z.unknown()) });

/** Expects success for every listed member, and no secrets in the events of outsiders. */
async function expectGranted(endpoint: api.Endpoint, row: AnyRow): Promise<void> {
  const callers = [...row.answers].filter(([, outcome]) => !isRefusal(outcome));
  await withServers(endpoint, callers, async (at, callersHere) => {
    for (const [member, expected] of callersHere) await expectAnswer(at, endpoint, row, member, expected);
    for (const member of members) {
      if (member !== 'inside') expectNoSecrets(await at.receivedBy(member), secretTexts(at.secret));
    }
  });
}

describe('A message in a secret stream', () => {
  const typingTopic = '打鍵';

  it('[R6.1] Only its subscribers receive the messages and typing events of a secret stream', async () => {
    await withServer(async (at) => {
      const { stream } = at.secret;
      const sent = { type: 'stream', to: String(stream), topic: secrets.topic, content: secrets.sent };
      await at.client('writer').ok(api.sendMessage, sent);
      await at.client('writer').ok(api.setTypingStatus, { op: 'start', type: 'stream', stream_id: stream, topic: typingTopic });
      const receivedBy = await at.receivedBy('inside');
      expect([secrets.name, secrets.topic, secrets.sent, typingTopic].filter((word) => !receivedBy.includes(word))).toEqual([]);
      for (const member of members) if (member !== 'inside') await expectNoEvents(at, member);
    });
  });

  it('[R6.1] Only its recipient receives a direct message and its typing event', async () => {
    await withServer(async (at) => {
      const to = api.addressDirect([at.person('inside').id]);
      await at.client('writer').ok(api.sendMessage, { type: 'direct', to, content: secrets.sent });
      await at.client('writer').ok(api.setTypingStatus, { op: 'start', to });
      expect(await at.receivedBy('inside')).toContain(secrets.sent);
      for (const member of members) if (member !== 'inside') await expectNoEvents(at, member);
    });
  });

  it('[R6.1] A member who leaves a secret stream before their next poll does not receive its messages', async () => {
    await withServer(async (at) => {
      const sent = { type: 'stream', to: String(at.secret.stream), topic: secrets.topic, content: secrets.sent };
      await at.client('writer').ok(api.sendMessage, sent);
      await at.client('inside').ok(api.unsubscribe, { subscriptions: [secrets.name] });
      expectNoSecrets(await at.receivedBy('inside'), [secrets.topic, secrets.sent]);
    });
  });
});

type Caller = readonly [member: MemberName, expected: Outcome];

/** Calls that change data run on a separate server for each member. */
async function withServers(
  { method }: api.Endpoint,
  callers: readonly Caller[],
  check: (at: TestServer, callersHere: readonly Caller[]) => Promise<void>,
): Promise<void> {
  const batches = method === 'GET' ? [callers] : callers.map((each) => [each]);
  for (const callersHere of batches) await withServer((at) => check(at, callersHere));
}

async function expectAnswer(
  at: TestServer,
  endpoint: api.Endpoint,
  row: AnyRow,
  member: MemberName,
  expected: Outcome,
): Promise<void> {
  const me = at.person(member);
  const parameters = row.parameters(at.secret, me, at);
  const reply = await at.client(member).reply(endpoint, parameters);
  if (isRefusal(expected)) {
    const { code, msg } = api.errorAnswer.parse(JSON.parse(reply.text));
    const { status, code: expectedCode, msg: words } = expected;
    expect({ status: reply.status, code, msg }, member).toEqual({ status, code: expectedCode, msg: words(at.secret) });
  } else expect(reply.status, `${member}: ${reply.text}`).toBe(200);

  const answer = withoutParameters(reply.text, parameters, at.secret);
  expectNoSecrets(answer, hiddenFrom(member, expected, at.secret));
  if (expected === 'sees')
    expect(
      secretContent.some((word) => answer.includes(word)),
      `${member}: ${reply.text}`,
    ).toBe(true);
  if (expected === 'knows') expect(answer, member).toContain(secrets.name);
  const isHidden = member !== 'inside' && (expected === 'ok' || isRefusal(expected));
  if (!isHidden || row.differs !== undefined) return;

  const parametersForMissing = row.parameters(missing, me, at);
  if (JSON.stringify(parametersForMissing) === JSON.stringify(parameters)) return;
  const ofMissing = await at.client(member).reply(endpoint, parametersForMissing);
  expect(withoutTargets(ofMissing.text, at.secret), member).toBe(withoutTargets(reply.text, at.secret));
}

const isRefusal = (outcome: Outcome): outcome is Refusal => typeof outcome === 'object';

/** The content of the secret stream and of the direct conversation between the writer and `inside`. */
const secretContent = [secrets.topic, secrets.content, secrets.earlierContent, secrets.direct];

/** Texts that the member must not see. Deleted content and private data of the writer are hidden from everyone. */
function hiddenFrom(member: MemberName, expected: Outcome, secret: Target): readonly string[] {
  if (member === 'inside') return [secrets.deletedContent, secrets.word, secret.queue];
  const known = expected === 'knows' || expected === 'done' ? administratorTexts(secret) : [];
  return secretTexts(secret).filter((mark) => !known.includes(mark));
}

function expectNoSecrets(text: string, words: readonly string[]): void {
  expect(
    words.filter((word) => text.includes(word)),
    text,
  ).toEqual([]);
}

/** An answer may repeat the parameters of its call. */
function withoutParameters(text: string, parameters: CallParameters, secret: Target): string {
  const sent = JSON.stringify(parameters);
  const given = secretTexts(secret).filter((mark) => sent.includes(mark));
  return given.reduce((left, mark) => left.replaceAll(mark, ''), text);
}

/** Replaces the ids and names of secret and missing targets, so that both answers can be compared. */
function withoutTargets(text: string, secret: Target): string {
  const named = [...Object.values(secret), ...Object.values(missing)].map(String);
  const alternatives = named.map((each) => each.replaceAll('.', '\\.')).join('|');
  return text.replaceAll(new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'g'), '…');
}
