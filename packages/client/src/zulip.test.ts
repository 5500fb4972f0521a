import { zulipExchanges, type ZulipExchange } from '@engawa/protocol/testing';
import { expect, it } from 'vitest';
import { ApiError, MalformedAnswerError, RateLimitedError, ServerError } from './errors.ts';
import { readReply } from './reply.ts';

const errorOf = ({ call, status, headers = {}, body }: ZulipExchange): unknown => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    return readReply({ call, status, retryAfter: headers['retry-after'] ?? null, text });
  } catch (error) {
    return error;
  }
};

/** The class that a refusal has to have: by its status, and for a page by not being JSON. */
function classOf({ status, body }: ZulipExchange) {
  if (status >= 500) return ServerError;
  if (status === 429) return RateLimitedError;
  return typeof body === 'string' ? MalformedAnswerError : ApiError;
}

const refusals = zulipExchanges.filter(({ status }) => status !== 200);

it.each(refusals)('[R7.8] The refusal of a real Zulip of $call with status $status throws an error of its kind', (refusal) => {
  const error = errorOf(refusal);
  expect(error).toBeInstanceOf(classOf(refusal));
  expect(error).toMatchObject({ status: refusal.status });
});

it('[R7.8] The rate limit of a real Zulip has a wait with decimals', () => {
  const limited = refusals.find(({ status }) => status === 429);
  expect(limited && errorOf(limited)).toMatchObject({ code: 'RATE_LIMIT_HIT', retryAfterSeconds: 59.967_860_937_118_53 });
});

it('[R7.8] A call that a real Zulip does not have throws an error that says so', () => {
  const missing = refusals.find(({ call }) => call === 'countReadReceipts');
  expect(missing && errorOf(missing)).toMatchObject({ status: 404, message: expect.stringContaining('may not exist') });
});
