import { z } from 'zod';

export const zulipOptions = z.object({
  /** Default: a free one. */
  port: z.int().optional(),
  /** Serves https with `testing/tls/first.pem`. */
  secure: z.boolean().optional(),
  /** Calls of each member in a minute. Default: 200. */
  callsPerMinute: z.int().optional(),
  /** Default: 47. */
  heartbeatSeconds: z.number().optional(),
});
export type ZulipOptions = z.output<typeof zulipOptions>;

/** The faults that last until they are changed. */
export const faults = z.object({
  /** Nothing listens. */
  down: z.boolean().default(false),
  /** Milliseconds before each answer. */
  delay: z.number().default(0),
  /** Each answer is the page of a proxy that does not reach the server, with status 502. */
  badGateway: z.boolean().default(false),
  /** The members, by the address of their sign-in, whose keys are refused. */
  refusedKeys: z.array(z.string()).default([]),
  /** Each call is refused with 429. */
  rateLimited: z.boolean().default(false),
  /** These calls (`POST /messages`) are carried out, and then the connection ends without an answer. */
  lostAnswers: z.array(z.string()).default([]),
  /** Answers and what they contain have a key that no version of the API describes. */
  unknownKeys: z.boolean().default(false),
  /** Answers have nothing but `result` and `msg`. */
  emptyAnswers: z.boolean().default(false),
  /** With `secure`: shows `testing/tls/second.pem`. */
  wrongCertificate: z.boolean().default(false),
});
export type Faults = z.output<typeof faults>;
export type SomeFaults = z.input<typeof faults>;

/** A call as it arrived. Paths of files are complete, others begin below `/api/v1`. */
const receivedCall = z.object({ call: z.string(), client: z.string() });
export type ReceivedCall = z.output<typeof receivedCall>;

const number = z.int();
export const order = z.object({
  number,
  fail: faults.optional(),
  say: z.record(z.string(), z.unknown()).optional(),
  isRestart: z.boolean().default(false),
});
export type Order = Omit<z.input<typeof order>, 'number'>;
export const done = z.object({ number, received: z.array(receivedCall) });
