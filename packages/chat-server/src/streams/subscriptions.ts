import {
  type AnswerIn,
  type ParametersOut,
  maxSubscriptionsPerCall,
  streamNameKey,
  type subscribe as subscribeCall,
  type unsubscribe as unsubscribeCall,
} from '@engawa/protocol';
import { type Viewer, isMember, knownStream, ownerReads, visibleStream } from '../conversations/access.ts';
import { type UserName, userNamed } from '../conversations/recipients.ts';
import type { StreamRow } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Member, isAdministrator, isGuest, viewerOf } from '../identity/member.ts';
import { Visibility, requireGroupConsent } from '../privacy/visibility.ts';
import type { Steps } from '../turns.ts';
import type { Bindings } from './bindings.ts';
import type { StreamDependencies } from './dependencies.ts';
import { type StreamSettings, createStream } from './create.ts';
import { cleanColor, cleanDescription, cleanName } from './name.ts';
import { mayManage } from './rights.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

type SubscribeRequest = ParametersOut<typeof subscribeCall>;
type Subscribing = Pick<SubscribeRequest, 'subscriptions'> &
  Partial<Pick<SubscribeRequest, 'principals' | 'authorization_errors_fatal'> & StreamSettings>;

/** Creates streams that do not exist. Subscribes all principals, or nobody if one does not allow the caller to add them. */
export function* subscribeMembers(
  tx: Transaction,
  { log, groups, announce }: Pick<StreamDependencies, 'log' | 'groups' | 'announce'>,
  caller: Member,
  { subscriptions, principals, authorization_errors_fatal: isFatal = true, ...settings }: Subscribing,
  now: number,
): Steps<AnswerIn<typeof subscribeCall>> {
  if (isGuest(caller) && subscriptions.length > 0) throw refused.forGuests();
  const users = principalsOf(tx, caller, principals);
  const requested = requestedStreams(subscriptions);
  refuseTooMany(requested.length * users.length);

  const subscribed: Record<number, string[]> = {};
  const already_subscribed: Record<number, string[]> = {};
  const unauthorized: string[] = [];
  const added: number[] = [];
  for (const { name, description, color } of requested) {
    const existing = visibleStream(tx, caller, name);
    const stream = existing ?? createStream(tx, log, caller, { name, description }, settings, now);
    if (stream) {
      const newcomers = new Set(yield* subscribe(tx, log, stream, users, color));
      const newIds = [...newcomers].map(({ id }) => id);
      // Checked after all have joined, because the owner of a bot may be among them.
      if (users.some((user) => newcomers.has(user) && !ownerReads(tx, user, stream.conversation_id))) {
        throw refused.because('A bot cannot join a stream that its owner cannot read.');
      }
      added.push(...newIds);
      announce(tx, stream, { by: caller.id, isNew: existing === undefined, newcomers: newIds });
      for (const user of users) {
        const names = newcomers.has(user) ? subscribed : already_subscribed;
        (names[user.id] ??= []).push(stream.name);
      }
    } else if (isFatal) {
      throw refused.because(`Unable to access stream (${name}).`);
    } else unauthorized.push(name);
  }
  requireGroupConsent(new Visibility(tx, groups), caller, added);
  return { subscribed, already_subscribed, ...(isFatal ? {} : { unauthorized }) };
}

export function* unsubscribeMembers(
  tx: Transaction,
  log: EventLog,
  bindings: Bindings,
  caller: Member,
  { subscriptions: names, principals }: ParametersOut<typeof unsubscribeCall>,
): Steps<AnswerIn<typeof unsubscribeCall>> {
  const users = principalsOf(tx, caller, principals);
  const userIds = users.map(({ id }) => id);
  const removesOthers = users.some(({ id, ownerId }) => id !== caller.id && ownerId !== caller.id);
  if (removesOthers && !isAdministrator(caller) && !managesEach(tx, caller, names)) throw refused.notPermitted();
  const known = knownStreams(tx, caller, names);
  refuseTooMany(known.length * users.length);
  for (const { conversation_id: streamId } of known) {
    if (bindings.belonging(streamId, userIds).some((id) => isMember(tx, streamId, id))) {
      throw refused.because('Members cannot leave a stream that is bound to what they belong to.');
    }
  }
  const counted: { readonly name: string; readonly left: number }[] = [];
  for (const stream of known) {
    const leavers = yield* unsubscribe(tx, log, bindings, stream, users);
    counted.push({ name: stream.name, left: leavers.length });
  }
  return {
    removed: counted.filter(({ left }) => left > 0).map(({ name }) => name),
    not_removed: counted.filter(({ left }) => left < users.length).map(({ name }) => name),
  };
}

/** Answered before any stream is looked up for others, so that errors do not reveal streams that the caller cannot see. */
function managesEach(tx: Transaction, caller: Viewer, names: readonly string[]): boolean {
  const visible = names.map((name) => visibleStream(tx, caller, name));
  return visible.every((stream) => stream && mayManage(tx, caller, stream));
}

function principalsOf(tx: Transaction, caller: Viewer, names: readonly UserName[] = []): readonly Viewer[] {
  if (names.length === 0) return [caller];
  const users = names.map((name): Viewer => {
    const user = userNamed(tx, caller, name);
    if (!user) throw refused.noSuchUser();
    if (!user.is_active) throw refused.userDeactivated();
    return viewerOf(user);
  });
  return [...new Map(users.map((each) => [each.id, each])).values()];
}

function requestedStreams(subscriptions: Subscribing['subscriptions']) {
  const cleaned = subscriptions.map(({ name, description = '', color }) => ({
    name: cleanName(name),
    description: cleanDescription(description),
    color: color === undefined ? undefined : cleanColor(color),
  }));
  return eachOnce(cleaned, ({ name }) => name);
}

/** @throws ChatError with the names of all streams that the caller may not know. */
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
