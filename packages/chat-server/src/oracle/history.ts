import { roles } from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import { seeded } from '../testing/random.ts';
import { Model } from './model/model.ts';
import { createStream, subscribe } from './model/streams.ts';
import { nextStep, withoutDirects } from './nextStep.ts';
import { Run } from './run.ts';
import type { Step } from './step.ts';

const usual = eg.organisation();
const square = { ...eg.stream('広場', ['tanaka', 'suzuki', 'takahashi', 'mori']), invite_only: false };
const editLimits = { content: 600, deletion: 600, topic: 3600 };
const organisation = eg.organisation({
  users: [...usual.users, eg.person('kato', '加藤 直樹', roles.moderator), eg.person('mori', withoutDirects, roles.guest)],
  streams: [...usual.streams, square],
  editLimits,
});

/** Runs a random history on a server and on the model and compares them throughout. */
export async function runHistory(seed: number, steps: number): Promise<Run> {
  const server = await eg.server({ organisation });
  const run = new Run(server, modelOf(server));
  const random = seeded(seed);
  try {
    for (let step = 0; step < steps; step += 1) await run.perform(nextStep(random, run));
    for (const member of run.model.users.keys()) await run.perform({ action: 'compare', member });
  } catch (error) {
    const steps = run.performed.map(inShort).join('\n');
    throw new Error(`seed ${seed} failed at step ${run.performed.length}:\n${steps}`, { cause: error });
  }
  return run;
}

function inShort({ action, ...step }: Step, index: number): string {
  return `${index + 1} ${action} ${JSON.stringify(step)}`;
}

function modelOf(server: eg.Server): Model {
  const idOf = (email: string) => server.user(email.replace('@example.com', ''));
  const users = organisation.users.map(({ email, full_name: name, role }) => {
    return { id: idOf(email), email, name, role, isActive: true, alertWords: [], sendsReceipts: true };
  });
  const model = new Model(users, editLimits, Math.floor(server.clock.now() / 1000));
  for (const { name, creator, invite_only, history_public_to_subscribers: isShared, subscribers } of organisation.streams) {
    const privacy = invite_only ? (isShared ? 'shared' : 'private') : 'public';
    const stream = createStream(model, server.stream(name), idOf(creator), { name, privacy });
    subscribe(model, stream, subscribers.map(idOf));
  }
  return model;
}
