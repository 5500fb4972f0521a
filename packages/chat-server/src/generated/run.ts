import { errorAnswer, errorCodes } from '@engawa/protocol';
import { z } from 'zod';
import type { ChatAnswer } from '../http/exchange.ts';
import { settled } from '../testing/clock.ts';
import { type Generated, generate } from './requests.ts';
import type { Scene } from './scene.ts';
import type { Tally } from './tally.ts';

/** In flight at once, as many clients would ask; their changes share commits. */
const requestsAtOnce = 250;
/** Seconds between two such crowds: less than a client may be silent. */
const secondsBetween = 60;
/** Milliseconds. Nothing takes so long, unless it never ends. */
const mostPatience = 30_000;

export async function run(scene: Scene, tally: Tally, requests: number): Promise<void> {
  for (let done = 0; done < requests; done += requestsAtOnce) {
    const crowd = Array.from({ length: Math.min(requestsAtOnce, requests - done) }, () => generate(scene));
    const answers = await answersTo(scene, crowd);
    for (const [index, generated] of crowd.entries()) {
      const answer = answers[index];
      if (!answer) throw new Error('an answer is missing', { cause: generated });
      tally.count(generated, answer.status);
      check(scene, generated, answer);
    }
    await scene.server.clock.jump(secondsBetween);
  }
}

async function answersTo(scene: Scene, crowd: readonly Generated[]): Promise<ChatAnswer[]> {
  const patience = new AbortController();
  const unanswered = new Set(crowd);
  const answers = crowd.map(async (generated) => {
    const answer = await scene.server.fetch({ ...generated.request, signal: patience.signal });
    unanswered.delete(generated);
    return answer;
  });
  const others = answers.filter((_, index) => crowd[index]?.name !== 'getEvents');
  await inTime(Promise.all(others), unanswered);
  // Who now still waits for an event hangs up.
  await settled();
  patience.abort();
  return inTime(Promise.all(answers), unanswered);
}

async function inTime<Value>(answers: Promise<Value>, unanswered: ReadonlySet<Generated>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new Error(`these hang: ${[...unanswered].slice(0, 5).map(inShort).join(' ')}`));
  const timer = setTimeout(fail, mostPatience);
  try {
    return await Promise.race([answers, late]);
  } finally {
    clearTimeout(timer);
  }
}

function inShort({ kind, name, by, request: { method, url } }: Generated): string {
  return `${kind} ${name} by ${by}, ${method} ${url.slice(0, 500)},`;
}

const success = z.looseObject({
  result: z.literal('success'),
  msg: z.literal(''),
  ignored_parameters_unsupported: z.array(z.string()).min(1).optional(),
});
const failure = errorAnswer.extend({ msg: z.string().min(1), code: z.enum(errorCodes) });

/** What every answer is like, whatever was asked. */
function check(scene: Scene, generated: Generated, { status, headers, body }: ChatAnswer): void {
  const text = Buffer.from(body).toString('utf8');
  try {
    if (status === 204) return expectNothing(text, headers);
    const answer: unknown = JSON.parse(text);
    if (status === 200) return expectSuccess(scene, generated, answer);
    if (!refusals.has(status)) throw new Error(`the status is ${status}`);
    failure.parse(answer);
  } catch (error) {
    throw new Error(`${inShort(generated)} was answered ${status} ${text.slice(0, 1000)}`, { cause: error });
  }
}

const refusals = new Set([400, 401, 404, 405, 413, 415, 429]);

function expectNothing(text: string, { Allow: allowed }: ChatAnswer['headers']): void {
  if (text !== '' || !allowed) throw new Error('only OPTIONS is answered by nothing, and then it says what is allowed');
}

/** Their answers are written once for many and list nothing. */
const writtenForMany = new Set(['getEvents', 'updatePresence', 'getRealmPresence']);

function expectSuccess(scene: Scene, { name, by, answersCall, ignored }: Generated, answer: unknown): void {
  const { ignored_parameters_unsupported: listed = [] } = success.parse(answer);
  const missing = writtenForMany.has(name) ? [] : ignored.filter((each) => !listed.includes(each));
  const known = answersCall ? listed.filter((each) => !ignored.includes(each)) : [];
  if (missing.length > 0 || known.length > 0) throw new Error(`ignored: ${JSON.stringify({ missing, known })}`);
  if (answersCall) scene.learn(name, by, answer);
}
