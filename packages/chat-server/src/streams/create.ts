import type { ParametersOut, subscribe } from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { isAdministrator } from '../identity/member.ts';
import { type Viewer, isPublic } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import { created } from './events.ts';

type Subscribing = ParametersOut<typeof subscribe>;

/** How a call wants the streams to be that it makes. */
export type StreamSettings = Pick<
  Subscribing,
  | 'invite_only'
  | 'is_web_public'
  | 'is_default_stream'
  | 'announce'
  | 'history_public_to_subscribers'
  | 'stream_post_policy'
  | 'message_retention_days'
  | 'can_remove_subscribers_group'
>;

/** Makes a stream that has nobody in it yet. `name` and `description` are clean, and the name is free. */
export function createStream(
  tx: Transaction,
  log: EventLog,
  creator: Viewer,
  { name, description }: { readonly name: string; readonly description: string },
  settings: Partial<StreamSettings>,
  now: number,
): StreamRow | undefined {
  // Before the name is looked up: whoever may not make such a stream does not learn whether the name is taken.
  const { isPrivate, sharedHistory } = historyAndAccess(creator, settings);
  refuseWhatIsNotOffered(settings);
  if (streams.byName(tx, name)) return undefined;
  const id = streams.insert(
    tx,
    { name, description, invite_only: isPrivate ? 1 : 0, creator_id: creator.id, created: now },
    sharedHistory,
  );
  const stream = streams.byId(tx, id);
  if (!stream) throw new Error('a stream that was inserted is there');
  // Whoever is subscribed to it and could not see it otherwise is told of it with their subscription.
  if (isPublic(stream)) log.append(tx, { ...created(stream), reach: 'members_without_guests' });
  return stream;
}

/** Private with a shared history unless something else is asked for. Public streams are the administrators' to make. */
function historyAndAccess(creator: Viewer, { invite_only, history_public_to_subscribers }: Partial<StreamSettings>) {
  if (invite_only !== false) {
    return { isPrivate: true, sharedHistory: history_public_to_subscribers ?? invite_only === undefined };
  }
  if (!isAdministrator(creator)) throw refused.notPermitted();
  if (history_public_to_subscribers === false) throw refused.because('A public stream shares its history.');
  return { isPrivate: false, sharedHistory: true };
}

/** Said in words, so that nobody believes to have got what they asked for. */
function refuseWhatIsNotOffered(asked: Partial<StreamSettings>): void {
  if (asked.is_default_stream && asked.invite_only !== false) {
    throw refused.because('A default stream cannot be private.');
  }
  const notOffered: readonly (readonly [asked: boolean | undefined, what: string])[] = [
    [asked.is_web_public, 'Web-public streams'],
    [asked.is_default_stream, 'Default streams'],
    [asked.announce, 'Announcements of new streams'],
    [(asked.stream_post_policy ?? 1) !== 1, 'Posting policies of streams'],
    [(asked.message_retention_days ?? 'realm_default') !== 'realm_default', 'Retention periods of streams'],
    [asked.can_remove_subscribers_group !== undefined, 'Groups who may remove subscribers'],
  ];
  const what = notOffered.find(([isAsked]) => isAsked)?.[1];
  if (what !== undefined) throw refused.because(`${what} are disabled in this organization.`);
}
