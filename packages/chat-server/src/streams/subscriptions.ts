import {
  type AnswerIn,
  type ParametersOut,
  maxSubscriptionsPerCall,
  streamNameKey,
  type subscribe as subscribeCall,
  type unsubscribe as unsubscribeCall,
} from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { refuseUnwanted } from '../privacy/groupConsent.ts';
import { Sight } from '../privacy/visibility.ts';
import type { Groups } from '../identity/groups.ts';
import { type Member, isAdministrator, isGuest } from '../identity/member.ts';
import { roleOf } from '../users/view.ts';
import { type Viewer, isMember, knownStream, visibleStream } from '../conversations/access.ts';
import type { Bindings } from './bindings.ts';
import { type StreamSettings, createStream } from './create.ts';
import { cleanColor, cleanDescription, cleanName } from './name.ts';
import { type Named, userNamed } from '../conversations/recipients.ts';
import { mayManage } from './rights.ts';
import type { StreamRow } from '../conversations/streams.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

type Asked = ParametersOut<typeof subscribeCall>;
/** Which streams a call is about, whom it subscribes, and how the streams are to be that it makes. */
export type Subscribing = Pick<Asked, 'subscriptions'> &
  Partial<Pick<Asked, 'principals' | 'authorization_errors_fatal'> & StreamSettings>;
type Unsubscribing = ParametersOut<typeof unsubscribeCall>;

export interface SubscriptionRooms {
  readonly log: EventLog;
  readonly groups: Groups;
}

/**
 * Subscribes the members that are named to streams that the caller can see, and to those that it makes because there is
 * none of that name; all of them, or nobody where one does not want to be brought in. Bounded by `maxSubscriptionsPerCall`.
 */
export function subscribeAsAsked(
  tx: Transaction,
  { log, groups }: SubscriptionRooms,
  caller: Member,
  { subscriptions, principals, authorization_errors_fatal: fatal = true, ...settings }: Subscribing,
  now: number,
): AnswerIn<typeof subscribeCall> {
  if (isGuest(caller) && subscriptions.length > 0) throw refused.because('Not allowed for guest users');
  const people = principalsOf(tx, caller, principals);
  const wanted = wantedStreams(subscriptions);
  refuseTooMany(wanted.length * people.length);

  const [subscribed, alreadySubscribed] = [new NamesByUser(), new NamesByUser()];
  const unauthorized: string[] = [];
  const brought: number[] = [];
  for (const { name, description, color } of wanted) {
    const stream = visibleStream(tx, caller, name) ?? createStream(tx, log, caller, { name, description }, settings, now);
    if (stream) {
      const newcomers = new Set(subscribe(tx, log, stream, people, color));
      brought.push(...[...newcomers].map(({ id }) => id));
      for (const each of people) (newcomers.has(each) ? subscribed : alreadySubscribed).add(each, stream.name);
    } else if (fatal) {
      throw refused.because(`Unable to access stream (${name}).`);
    } else unauthorized.push(name);
  }
  refuseUnwanted(new Sight(tx, groups), caller.id, brought);
  return {
    subscribed: subscribed.asAnswer(),
    already_subscribed: alreadySubscribed.asAnswer(),
    ...(fatal ? {} : { unauthorized }),
  };
}

/**
 * Ends the subscriptions of the members that are named. Others than oneself are for those to remove who may manage the
 * streams, and who belongs to what a stream is bound to stays in it.
 */
export function unsubscribeAsAsked(
  tx: Transaction,
  log: EventLog,
  bindings: Bindings,
  caller: Member,
  { subscriptions: names, principals }: Unsubscribing,
): AnswerIn<typeof unsubscribeCall> {
  const people = principalsOf(tx, caller, principals);
  const others = people.some(({ id }) => id !== caller.id);
  if (others && !isAdministrator(caller) && !managesEach(tx, caller, names)) throw refused.notPermitted();
  const streams = knownStreams(tx, caller, names);
  refuseTooMany(streams.length * people.length);
  for (const { conversation_id: streamId } of streams) {
    const belonging = bindings.belonging(
      streamId,
      people.map(({ id }) => id),
    );
    if (belonging.some((id) => isMember(tx, streamId, id)))
      throw refused.because('Who belongs to a department stays in its stream.');
  }
  const counted = streams.map((stream) => ({
    name: stream.name,
    left: unsubscribe(tx, log, bindings, stream, people).length,
  }));
  return {
    removed: counted.filter(({ left }) => left > 0).map(({ name }) => name),
    not_removed: counted.filter(({ left }) => left < people.length).map(({ name }) => name),
  };
}

/** Asked before anything is said of a stream that may not be the caller's to know. */
function managesEach(tx: Transaction, caller: Viewer, names: readonly string[]): boolean {
  const streams = names.map((name) => visibleStream(tx, caller, name));
  return streams.every((stream) => stream && mayManage(tx, caller, stream));
}

/** The users that a call is about: the caller unless it names somebody. */
function principalsOf(tx: Transaction, caller: Viewer, named: readonly Named[] = []): readonly Viewer[] {
  if (named.length === 0) return [caller];
  const people = named.map((name): Viewer => {
    const user = userNamed(tx, name);
    if (!user) throw refused.noSuchUser();
    if (!user.is_active) throw refused.userDeactivated();
    return { id: user.id, role: roleOf(user) };
  });
  return [...new Map(people.map((each) => [each.id, each])).values()];
}

/** Names, descriptions and colours as they are kept; each stream once, as it was named first. */
function wantedStreams(subscriptions: Subscribing['subscriptions']) {
  const wanted = subscriptions.map(({ name, description = '', color }) => ({
    name: cleanName(name),
    description: cleanDescription(description),
    color: color === undefined ? undefined : cleanColor(color),
  }));
  return eachOnce(wanted, ({ name }) => name);
}

/** @throws ChatError that names all that are missing, alike whether they are not there or not the caller's to know. */
function knownStreams(tx: Transaction, caller: Viewer, names: readonly string[]): StreamRow[] {
  const missing: string[] = [];
  const known = eachOnce(names, (name) => name).flatMap((name) => {
    const stream = knownStream(tx, caller, name);
    if (!stream) missing.push(name.trim());
    return stream ?? [];
  });
  if (missing.length > 0) throw refused.because(`Stream(s) (${missing.join(', ')}) do not exist`);
  return known;
}

function eachOnce<Value>(values: readonly Value[], nameOf: (value: Value) => string): Value[] {
  const byKey = Map.groupBy(values, (value) => streamNameKey(nameOf(value)));
  return [...byKey.values()].flatMap(([first]) => first ?? []);
}

function refuseTooMany(count: number): void {
  if (count <= maxSubscriptionsPerCall) return;
  throw refused.because(`Too many subscriptions in one call (limit: ${maxSubscriptionsPerCall}).`);
}

/** Names of streams by user id, as text. */
class NamesByUser {
  readonly #names = new Map<number, string[]>();

  add({ id }: Viewer, name: string): void {
    this.#names.set(id, [...(this.#names.get(id) ?? []), name]);
  }

  asAnswer(): Record<string, string[]> {
    return Object.fromEntries(this.#names);
  }
}
