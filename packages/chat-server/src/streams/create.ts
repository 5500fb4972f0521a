import type { ParametersOut, subscribe } from '@engawa/protocol';
import { type Viewer, isPublic } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { isAdministrator } from '../identity/member.ts';
import { makeDefault } from './defaultStreams.ts';
import { streamCreated } from './events.ts';

export type StreamSettings = Pick<
  ParametersOut<typeof subscribe>,
  | 'invite_only'
  | 'is_web_public'
  | 'is_default_stream'
  | 'announce'
  | 'history_public_to_subscribers'
  | 'stream_post_policy'
  | 'message_retention_days'
  | 'can_remove_subscribers_group'
>;

/** Creates a stream without subscribers. `name` and `description` must be clean. @returns undefined if the name is taken. */
export function createStream(
  tx: Transaction,
  log: EventLog,
  creator: Viewer,
  { name, description }: { readonly name: string; readonly description: string },
  settings: Partial<StreamSettings>,
  now: number,
): StreamRow | undefined {
  // The rights are checked before the name, so that a caller without them does not learn whether the name is taken.
  const { isPrivate, sharedHistory } = historyAndAccess(creator, settings);
  refuseUnsupported(settings);
  if (streams.byName(tx, name)) return undefined;
  const id = streams.insert(
    tx,
    { name, description, invite_only: isPrivate ? 1 : 0, creator_id: creator.id, created: now },
    sharedHistory,
  );
  const stream = streams.byId(tx, id);
  if (!stream) throw new Error('an inserted stream can be read');
  // A private stream needs no event here: its subscribers receive it with their subscription.
  if (isPublic(stream)) log.append(tx, { ...streamCreated(stream), reach: 'members_without_guests' });
  if (settings.is_default_stream) makeDefault(tx, log, stream);
  return stream;
}

/** By default a stream is private with a shared history. Only administrators create public streams. */
function historyAndAccess(creator: Viewer, { invite_only, history_public_to_subscribers }: Partial<StreamSettings>) {
  if (invite_only !== false) {
    // Only members read a private stream, and the owner of a bot that creates one need not be a member.
    if (creator.ownerId !== null) throw refused.notPermitted();
    return { isPrivate: true, sharedHistory: history_public_to_subscribers ?? invite_only === undefined };
  }
  if (!isAdministrator(creator)) throw refused.notPermitted();
  if (history_public_to_subscribers === false) throw refused.because('A public stream shares its history.');
  return { isPrivate: false, sharedHistory: true };
}

function refuseUnsupported(settings: Partial<StreamSettings>): void {
  if (settings.is_default_stream && settings.invite_only !== false) {
    throw refused.because('A default stream cannot be private.');
  }
  const unsupported: readonly (readonly [isRequested: boolean | undefined, name: string])[] = [
    [settings.is_web_public, 'Web-public streams'],
    [settings.announce, 'Announcements of new streams'],
    [(settings.stream_post_policy ?? 1) !== 1, 'Posting policies of streams'],
    [(settings.message_retention_days ?? 'realm_default') !== 'realm_default', 'Retention periods of streams'],
    [settings.can_remove_subscribers_group !== undefined, 'Groups who may remove subscribers'],
  ];
  const name = unsupported.find(([isRequested]) => isRequested)?.[1];
  if (name !== undefined) throw refused.because(`${name} are disabled in this organization.`);
}
