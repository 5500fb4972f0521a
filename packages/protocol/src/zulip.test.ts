import { describe, expect, it } from 'vitest';
import { secretPostingAddress, zulipEvents, zulipExchanges } from '../test/zulip.ts';
import { errorAnswer } from './errors.ts';
import { serverEvent } from './events.ts';
import * as endpoints from './index.ts';
import type { Endpoint } from './endpoint.ts';

const byName = new Map<string, unknown>(Object.entries(endpoints));

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'answer' in value && 'path' in value;
}

function endpointOf(call: string): Endpoint {
  const found = byName.get(call);
  if (!isEndpoint(found)) throw new Error(`${call} is no endpoint`);
  return found;
}

const successes = zulipExchanges.filter(({ status }) => status === 200);
const refusals = zulipExchanges.filter(({ status, body }) => status !== 200 && typeof body === 'object');

describe('A Zulip server of feature level 218', () => {
  it.each(successes.map((each, index) => ({ ...each, index })))(
    '[R7.8] The answer of a real Zulip to $call matches our schema ($index)',
    ({ call, body }) => {
      expect(endpointOf(call).answer.safeParse(body).error).toBeUndefined();
    },
  );

  it.each(refusals)('[R7.8] The refusal of a real Zulip of $call with status $status matches our schema', ({ body }) => {
    expect(errorAnswer.parse(body)).toMatchObject({ msg: expect.any(String), code: expect.any(String) });
  });

  it('[R7.8] Every event of a real Zulip matches our schema, or is of a type that we do not request', () => {
    const unknown = zulipEvents.map((event) => serverEvent.parse(event)).filter(({ type }) => type === 'unknown');
    const types = new Set(unknown.map((event) => ('original' in event ? JSON.stringify(event.original) : '')));
    expect([...types].map((text) => /"type":"(\w+)"/.exec(text)?.[1]).filter((type) => requested.has(type ?? ''))).toEqual([]);
  });

  it('[R7.8] No answer and no event keeps the secret address at which everybody can post to a stream', () => {
    const received = JSON.stringify([zulipEvents, zulipExchanges]);
    expect(received).toContain(secretPostingAddress);
    const kept = [
      ...successes.map(({ call, body }) => endpointOf(call).answer.parse(body)),
      ...zulipEvents.map((event) => serverEvent.parse(event)),
    ].filter((each) => JSON.stringify(each).includes(secretPostingAddress));
    expect(kept).toEqual([]);
  });
});

/** The types that the web client requests. */
const requested = new Set([
  'message',
  'update_message',
  'delete_message',
  'update_message_flags',
  'reaction',
  'subscription',
  'stream',
  'realm_user',
  'alert_words',
  'drafts',
  'user_settings',
  'realm',
  'typing',
  'presence',
  'user_status',
]);
