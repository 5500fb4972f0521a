import { randomUUID } from 'node:crypto';
import type { Random } from '../testing/random.ts';
import type { Model } from './model.ts';

export interface Sending {
  readonly member: string;
  readonly stream: string;
  readonly topic: string;
  readonly content: string;
  readonly clientId: string | undefined;
  readonly readBySender: boolean;
  /** Names one of the sender's own queues, to carry a mark. */
  readonly marked: boolean;
}

export type QueueKind = 'everything' | 'main' | 'messages' | 'html';

export interface Fetching {
  readonly member: string;
  readonly stream: string | undefined;
  readonly topic: string | undefined;
  readonly sender: string | undefined;
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread';
  readonly num_before: number;
  readonly num_after: number;
}

/** One thing that happens. */
export type Step =
  | { readonly does: 'sign in'; readonly member: string }
  | { readonly does: 'register'; readonly member: string; readonly kind: QueueKind }
  /** All in one turn. */
  | { readonly does: 'send'; readonly sendings: readonly Sending[] }
  | {
      readonly does: 'mark';
      readonly member: string;
      readonly op: 'add' | 'remove';
      readonly flag: 'read' | 'starred';
      readonly ids: readonly number[];
    }
  | { readonly does: 'fetch'; readonly fetching: Fetching }
  /** `queue` counts the queues that there are. */
  | { readonly does: 'poll'; readonly queue: number; readonly way: 'take' | 'look' | 'twice' }
  | { readonly does: 'wait'; readonly queues: readonly number[] }
  | { readonly does: 'join'; readonly member: string; readonly stream: string }
  | { readonly does: 'restart' }
  /** Every queue of a member is compared with what register answers now. */
  | { readonly does: 'compare'; readonly member: string };

const kinds = ['everything', 'main', 'main', 'messages', 'html'] as const;
const ways = ['take', 'take', 'look', 'twice'] as const;
const topics = ['stream events', 'お昼', 'Lunch', 'lunch'];

/** What happens next. To a later kind of step belongs a line here, a method of the model, and a case of the run. */
export function nextStep(random: Random, model: Model, sent: readonly Sending[], queues: number): Step {
  const member = random.pick(model.members);
  const dice = random.below(100);
  if (dice < 34) return { does: 'send', sendings: sendings(random, model, sent) };
  if (dice < 52) return marking(random, model, member);
  if (dice < 60) return { does: 'fetch', fetching: fetching(random, model, member) };
  if (dice < 76 && queues > 0) return { does: 'poll', queue: random.below(queues), way: random.pick(ways) };
  if (dice < 84) return { does: 'wait', queues: random.some([...Array(queues).keys()], 0.4) };
  if (dice < 91) return { does: 'register', member, kind: random.pick(kinds) };
  if (dice < 94) return { does: 'compare', member };
  if (dice < 96) return { does: 'join', member, stream: random.pick(model.streams) };
  if (dice < 98) return { does: 'restart' };
  return { does: 'sign in', member };
}

function sendings(random: Random, model: Model, sent: readonly Sending[]): Sending[] {
  const speakers = model.members.filter((member) => model.subscriptions(member).length > 0);
  return Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const repeatable = sent.filter(({ clientId }) => clientId !== undefined);
    if (repeatable.length > 0 && random.chance(0.15)) return random.pick(repeatable);
    const member = random.pick(speakers);
    return {
      member,
      stream: random.pick(model.subscriptions(member)),
      topic: random.pick(topics),
      content: `${model.messages.size}.${index}`,
      clientId: random.chance(0.5) ? randomUUID() : undefined,
      readBySender: random.chance(0.85),
      marked: random.chance(0.5),
    };
  }).flatMap((sending) => (sending.clientId !== undefined && random.chance(0.1) ? [sending, sending] : [sending]));
}

function marking(random: Random, model: Model, member: string): Step {
  const flag = random.pick(['read', 'read', 'starred'] as const);
  const readable = model.readable(member);
  const newest = random.chance(0.5) ? readable.slice(-8) : readable;
  const all = [...model.messages.keys()];
  // Now and then ids that are not this member's, or nobody's.
  const strange = all.length > 0 && random.chance(0.2) ? [random.pick(all), 1_000_000] : [];
  const op = random.pick(['add', 'add', 'remove'] as const);
  return { does: 'mark', member, op, flag, ids: [...random.some(newest, 0.5), ...strange] };
}

function fetching(random: Random, model: Model, member: string): Fetching {
  const ids = [...model.messages.keys()];
  const named = random.pick(['newest', 'oldest', 'first_unread'] as const);
  return {
    member,
    stream: random.chance(0.6) ? random.pick(model.streams) : undefined,
    topic: random.chance(0.3) ? random.pick(topics) : undefined,
    sender: random.chance(0.2) ? random.pick(model.members) : undefined,
    anchor: ids.length > 0 && random.chance(0.5) ? random.pick(ids) : named,
    num_before: random.below(15),
    num_after: random.below(15),
  };
}
