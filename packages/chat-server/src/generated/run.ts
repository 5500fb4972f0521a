import { errorAnswer, errorCodes } from '@engawa/protocol';
import { z } from 'zod';
import type { ChatAnswer } from '../http/exchange.ts';
import { settled } from '../testing/clock.ts';
import { type GeneratedRequest, generate } from './requests.ts';
import type { RequestContext } from './requestContext.ts';

/** The number of simultaneous requests, whose changes share commits. */
const requestsAtOnce = 250;
/** Seconds on the clock between two groups of requests; less than a queue's lifespan, so that queues stay alive. */
const secondsBetween = 60;
const timeoutMilliseconds = 30_000;

/** Counts requests, so that the test can expect enough of each. */
export class RequestCounts {
  total = 0;
  mutated = 0;
  readonly succeeded = new Set<string>();

  count({ kind, name, answersCall }: GeneratedRequest, status: number): void {
    this.total += 1;
    if (kind === 'mutated') this.mutated += 1;
    if (status === 200 && answersCall) this.succeeded.add(name);
  }
}

export async function run(context: RequestContext, counts: RequestCounts, requests: number): Promise<void> {
  for (let done = 0; done < requests; done += requestsAtOnce) {
    const batch = Array.from({ length: Math.min(requestsAtOnce, requests - done) }, () => generate(context));
    const answers = await answersTo(context, batch);
    for (const [index, generated] of batch.entries()) {
      const answer = answers[index];
      if (!answer) throw new Error('an answer is missing', { cause: generated });
      counts.count(generated, answer.status);
      checkAnswer(context, generated, answer);
    }
    await context.server.clock.jump(secondsBetween);
  }
}

async function answersTo(context: RequestContext, batch: readonly GeneratedRequest[]): Promise<ChatAnswer[]> {
  const controller = new AbortController();
  const unanswered = new Set(batch);
  const answers = batch.map(async (generated) => {
    const answer = await context.server.fetch({ ...generated.request, signal: controller.signal });
    unanswered.delete(generated);
    return answer;
  });
  const others = answers.filter((_, index) => batch[index]?.name !== 'getEvents');
  await withTimeout(Promise.all(others), unanswered);
  // By now every other request has an answer, so only waiting polls are aborted.
  await settled();
  controller.abort();
  return withTimeout(Promise.all(answers), unanswered);
}

async function withTimeout<Value>(answers: Promise<Value>, unanswered: ReadonlySet<GeneratedRequest>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new Error(`these hang: ${[...unanswered].slice(0, 5).map(inShort).join(' ')}`));
  const timer = setTimeout(fail, timeoutMilliseconds);
  try {
    return await Promise.race([answers, late]);
  } finally {
    clearTimeout(timer);
  }
}

function inShort({ kind, name, by, request: { method, url } }: GeneratedRequest): string {
  return `${kind} ${name} by ${by}, ${method} ${url.slice(0, 500)},`;
}

const success = z.looseObject({
  result: z.literal('success'),
  msg: z.literal(''),
  ignored_parameters_unsupported: z.array(z.string()).min(1).optional(),
});
const failure = z.looseObject({ ...errorAnswer.shape, msg: z.string().min(1), code: z.enum(errorCodes) });

/** Expects what holds for every answer. */
function checkAnswer(context: RequestContext, generated: GeneratedRequest, { status, headers, body }: ChatAnswer): void {
  const text = Buffer.from(body).toString('utf8');
  try {
    if (status === 204) return expectNothing(text, headers);
    const answer: unknown = JSON.parse(text);
    if (status === 200) return expectSuccess(context, generated, answer);
    if (!refusalStatuses.has(status)) throw new Error(`the status is ${status}`);
    failure.parse(answer);
  } catch (error) {
    throw new Error(`${inShort(generated)} was answered ${status} ${text.slice(0, 1000)}`, { cause: error });
  }
}

const refusalStatuses = new Set([400, 401, 404, 405, 413, 415, 429]);

function expectNothing(text: string, { Allow: allowed }: ChatAnswer['headers']): void {
  if (text !== '' || !allowed) throw new Error('only OPTIONS is answered by nothing, and then it says what is allowed');
}

/** Answers of these calls are shared by several requests, so they do not list the ignored parameters of one. */
const sharedAnswers = new Set(['getEvents', 'updatePresence', 'getRealmPresence']);

function expectSuccess(context: RequestContext, { name, by, answersCall, ignored }: GeneratedRequest, answer: unknown): void {
  const { ignored_parameters_unsupported: listed = [] } = success.parse(answer);
  const missing = sharedAnswers.has(name) ? [] : ignored.filter((each) => !listed.includes(each));
  const known = answersCall ? listed.filter((each) => !ignored.includes(each)) : [];
  if (missing.length > 0 || known.length > 0) throw new Error(`ignored: ${JSON.stringify({ missing, known })}`);
  if (answersCall) context.remember(name, by, answer);
}
