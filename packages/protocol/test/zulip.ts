/** Answers and events of a Zulip server of feature level 218, recorded and made anonymous. One per shape; long lists are cut. */
import { z } from 'zod/mini';
import events from './zulipEvents.json' with { type: 'json' };
import exchanges from './zulipExchanges.json' with { type: 'json' };

const exchange = z.object({
  /** The name of the endpoint in `src/endpoints`, or the method and path of a call that we do not describe. */
  call: z.string(),
  status: z.int(),
  headers: z.optional(z.record(z.string(), z.string())),
  /** JSON, or the beginning of an HTML page. */
  body: z.union([z.string(), z.record(z.string(), z.unknown())]),
});
export type ZulipExchange = z.output<typeof exchange>;

export const zulipExchanges: readonly ZulipExchange[] = z.array(exchange).parse(exchanges);
export const zulipEvents: readonly unknown[] = events;

/** The address of a stream at which everybody can post by e-mail, as the data has it. No client may keep it. */
export const secretPostingAddress = 'secret-posting-address@example.com';

/** The first successful answer of a call, with the fields of these names. */
export function zulipAnswer(call: string, ...fields: readonly string[]): unknown {
  return zulipExchanges.find(
    ({ call: name, status, body }) =>
      name === call && status === 200 && typeof body === 'object' && fields.every((field) => field in body),
  )?.body;
}
