import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Endpoint,
  ParameterError,
  type ParametersIn,
  decodeParameters,
  deleteQueue,
  encodeParameters,
  fetchApiKey,
  fillPath,
  getEvents,
  getMessageHistory,
  getMessages,
  getOwnUser,
  getServerSettings,
  getSubscriptions,
  getUsers,
  newestAnchor,
  registerQueue,
  sendMessage,
  updateMessageFlags,
} from './index.ts';

/** A reproducible source of random test values. */
function seeded(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return {
    below,
    chance: () => below(2) === 0,
    text: () => Array.from({ length: below(12) }, () => pieces[below(pieces.length)]).join(''),
    id: () => (below(2) === 0 ? below(1_000_000) : Number.MAX_SAFE_INTEGER - below(1000)),
    list: <Value>(make: () => Value): Value[] => Array.from({ length: below(6) }, make),
  };
}
type Chance = ReturnType<typeof seeded>;

const marks = [' ', '&', '=', '+', '%', '"', '\\', '\n', ',', '[', ']', '{', '}', ':', '\u0000'];
const pieces = [...marks, 'a', '縁', '🍵', '0', '1', 'null', 'true', '\u{10FFFF}'];

function maybe<Value>(chance: Chance, make: () => Value): Value | undefined {
  return chance.chance() ? make() : undefined;
}

const parametersOf = {
  sendMessage: (chance: Chance): ParametersIn<typeof sendMessage> => ({
    type: chance.text(),
    to: chance.text(),
    topic: maybe(chance, chance.text),
    content: chance.text(),
    queue_id: maybe(chance, chance.text),
    local_id: maybe(chance, chance.text),
    read_by_sender: maybe(chance, chance.chance),
    client_message_id: maybe(chance, () => '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a'),
  }),
  getMessages: (chance: Chance): ParametersIn<typeof getMessages> => ({
    anchor: maybe(chance, chance.text),
    num_before: chance.below(5000),
    num_after: chance.below(5000),
    include_anchor: maybe(chance, chance.chance),
    narrow: maybe(chance, () =>
      chance.list(() => ({
        operator: chance.text(),
        operand: [chance.text(), chance.id(), chance.list(chance.id)][chance.below(3)] ?? '',
        negated: maybe(chance, chance.chance),
      })),
    ),
    include_deleted: maybe(chance, chance.chance),
  }),
  registerQueue: (chance: Chance): ParametersIn<typeof registerQueue> => ({
    event_types: maybe(chance, () => chance.list(chance.text)),
    fetch_event_types: maybe(chance, () => chance.list(chance.text)),
    narrow: maybe(chance, () => chance.list((): [string, string] => [chance.text(), chance.text()])),
    client_capabilities: maybe(chance, () => ({ [`c${chance.text()}`]: chance.chance() })),
    queue_lifespan_secs: maybe(chance, () => chance.below(604_801)),
  }),
  updateMessageFlags: (chance: Chance): ParametersIn<typeof updateMessageFlags> => ({
    messages: chance.list(chance.id),
    op: chance.text(),
    flag: chance.text(),
  }),
  getEvents: (chance: Chance): ParametersIn<typeof getEvents> => ({
    queue_id: chance.text(),
    last_event_id: chance.chance() ? chance.id() : -1,
    dont_block: maybe(chance, chance.chance),
  }),
};

function roundTrip(endpoint: Endpoint, values: Readonly<Record<string, unknown>>): void {
  const sent = encodeParameters(endpoint, values);
  const decoded: Readonly<Record<string, unknown>> = decodeParameters(endpoint, (name) => sent[name]);
  for (const [name, { schema }] of Object.entries(endpoint.parameters)) {
    expect(decoded[name], `${endpoint.path} ${name}`).toEqual(schema.parse(values[name]));
  }
}

function failure(endpoint: Endpoint, values: Readonly<Record<string, string>>): ParameterError {
  try {
    decodeParameters(endpoint, (name) => values[name]);
  } catch (error) {
    if (error instanceof ParameterError) return error;
    throw error;
  }
  throw new Error('the parameters were accepted');
}

describe('Endpoint parameters', () => {
  it('[R7.5] decodeParameters returns the values that encodeParameters encoded, for random values', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const chance = seeded(seed * 7919);
      roundTrip(sendMessage, parametersOf.sendMessage(chance));
      roundTrip(getMessages, parametersOf.getMessages(chance));
      roundTrip(registerQueue, parametersOf.registerQueue(chance));
      roundTrip(updateMessageFlags, parametersOf.updateMessageFlags(chance));
      roundTrip(getEvents, parametersOf.getEvents(chance));
    }
  });

  it('[R7.5] encodeParameters encodes lists as JSON and keeps text unchanged', () => {
    expect(encodeParameters(updateMessageFlags, { messages: [1, 2], op: 'add', flag: 'read' })).toEqual({
      messages: '[1,2]',
      op: 'add',
      flag: 'read',
    });
    const values = { anchor: '7', num_before: 20, num_after: 0, apply_markdown: false };
    expect(encodeParameters(getMessages, values)).toEqual({
      anchor: '7',
      num_before: '20',
      num_after: '0',
      apply_markdown: 'false',
    });
  });

  it('encodeParameters leaves out absent parameters and those that the endpoint does not have', () => {
    expect(encodeParameters(deleteQueue, { queue_id: 'q', colour: 'red' })).toEqual({ queue_id: 'q' });
    expect(encodeParameters(registerQueue, { event_types: undefined })).toEqual({});
  });

  it('decodeParameters returns the default values of absent parameters', () => {
    expect(decodeParameters(registerQueue, () => undefined)).toMatchObject({
      apply_markdown: false,
      narrow: [],
      client_capabilities: {},
      queue_lifespan_secs: 600,
    });
  });

  it('decodeParameters reports the first wrong parameter, in the order in which the endpoint declares them', () => {
    expect(failure(sendMessage, {})).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'type' } });
    expect(failure(sendMessage, { content: 'c' }).data).toEqual({ var_name: 'type' });
    expect(failure(sendMessage, { type: 't', to: 'x', read_by_sender: 'no' }).data).toEqual({ var_name: 'content' });
  });

  const invalidCounts = ['abc', '-1', '1.5', '1e3', ' 1', '１', '9'.repeat(16)];
  it.each(invalidCounts)('decodeParameters refuses “%s” as a count parameter', (num_before) => {
    const refusal = failure(getMessages, { num_before, num_after: '0' });
    const data = { var_name: 'num_before', bad_value: num_before };
    expect(refusal).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', data });
  });

  it.each([
    ['[[1,2]]', 'messages[0] is not an integer'],
    ['[1.5]', 'messages[0] is not an integer'],
    ['{}', 'messages is not a list'],
    ['null', 'messages is not a list'],
    ['', 'Argument "messages" is not valid JSON.'],
    ['[1', 'Argument "messages" is not valid JSON.'],
  ])('decodeParameters refuses %s as a list parameter', (messages, sentence) => {
    expect(failure(updateMessageFlags, { messages, op: 'add', flag: 'read' }).message).toBe(sentence);
  });
});

it('ParametersIn derives the parameter types of an endpoint', () => {
  type FlagParameters = { messages: number[]; op: string; flag: string };
  expectTypeOf<ParametersIn<typeof updateMessageFlags>>().toEqualTypeOf<FlagParameters>();
});

it('[R7.7] [R7.6] The endpoints have the paths and methods of the chat API', () => {
  const calls = [
    fetchApiKey,
    registerQueue,
    getEvents,
    deleteQueue,
    getSubscriptions,
    getMessages,
    sendMessage,
    updateMessageFlags,
    getUsers,
    getOwnUser,
    getServerSettings,
  ].map(({ method, path, authentication }) => `${method} ${path} ${authentication}`);
  expect(calls).toEqual([
    'POST /fetch_api_key none',
    'POST /register basic',
    'GET /events basic',
    'DELETE /events basic',
    'GET /users/me/subscriptions basic',
    'GET /messages basic',
    'POST /messages basic',
    'POST /messages/flags basic',
    'GET /users basic',
    'GET /users/me basic',
    'GET /server_settings none',
  ]);
});

it('The client accepts the anchor of “newest” in an answer of GET /messages, a number above every message id', () => {
  const answer = { anchor: newestAnchor, found_anchor: false, found_oldest: true, found_newest: true, messages: [] };
  expect(getMessages.answer.parse(answer).anchor).toBe(10_000_000_000_000_000);
});

it('fillPath replaces the {name} parts of a path by values', () => {
  expect(fillPath(getMessageHistory, { message_id: 7 })).toBe('/messages/7/history');
});

it('fillPath throws when a {name} part of the path has no value', () => {
  expect(() => fillPath(getMessageHistory, {})).toThrow('missing path parameter message_id');
});
