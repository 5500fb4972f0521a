import {
  type ParametersOut,
  getUserStatus,
  maxStatusSeconds,
  maxStatusTextLength,
  maxStatusesExpiredAtOnce,
  updateStatus,
} from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Reader } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { seenUser } from '../privacy/seenUsers.ts';
import { Visibility } from '../privacy/visibility.ts';
import { checkEmoji, requestedEmoji } from '../reactions/emoji.ts';
import type { Groups } from '../identity/groups.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Status, statuses } from './store.ts';
import { noStatus, statusView } from './view.ts';
import { publishStatus } from './events.ts';

type StatusRequest = ParametersOut<typeof updateStatus>;
type Emoji = Pick<Status, 'emoji_name' | 'emoji_code' | 'reaction_type'>;

export function statusRoutes(database: Database, log: EventLog, groups: Groups, clock: Clock): Route[] {
  return [
    memberRoute(updateStatus, (request, { member }) =>
      database.write((tx) => {
        const { id } = memberNow(tx, member);
        const { user_id: _, ...before } = statuses.of(tx, id) ?? { user_id: id, ...noStatus };
        const after = changed(tx, before, request, seconds(clock));
        if (JSON.stringify(after) === JSON.stringify(before)) return;
        if (after.status_text === '' && after.emoji_name === '') statuses.remove(tx, id);
        else statuses.put(tx, { user_id: id, ...after });
        publishStatus(tx, log, id);
      }),
    ),

    memberRoute(getUserStatus, ({ user_id }, { member }) =>
      database.snapshot((reader) => {
        const user = seenUser(reader, member, user_id);
        const isSeen = user.is_active === 1 && new Visibility(reader, groups).canSee('status_audience', user_id, member);
        return { status: statusView(isSeen ? statuses.of(reader, user_id) : undefined) };
      }),
    ),
  ];
}

export async function endStatuses(database: Database, log: EventLog, clock: Clock): Promise<void> {
  const now = seconds(clock);
  if (statuses.ended(database.reader, now, 1).length === 0) return;
  await database.write((tx) => {
    for (const userId of statuses.ended(tx, now, maxStatusesExpiredAtOnce)) {
      statuses.remove(tx, userId);
      publishStatus(tx, log, userId);
    }
  });
}

function changed(reader: Reader, before: Status, request: StatusRequest, now: number): Status {
  const { status_text, emoji_name, emoji_code, reaction_type, scheduled_end_time: end } = request;
  const names = [status_text, emoji_name, emoji_code, reaction_type].some((value) => value !== undefined);
  if (!names && typeof end !== 'number') throw refused.because('Client did not pass any new values.');
  if (typeof end === 'number') checkEnd(end, now);
  const text = status_text === undefined ? before.status_text : cleanText(status_text);
  const emoji = emojiAfter(reader, before, request);
  const isSet = text !== '' || emoji.emoji_name !== '';
  return { status_text: text, ...emoji, ends: isSet ? (end ?? null) : null };
}

/** @param end unix seconds. */
function checkEnd(end: number, now: number): void {
  if (end <= now) throw refused.because('scheduled_end_time is not in the future.');
  if (end <= now + maxStatusSeconds) return;
  throw refused.because(`scheduled_end_time is too far in the future (limit: ${maxStatusSeconds} seconds from now).`);
}

function cleanText(written: string): string {
  const text = written.trim().replaceAll(/\s+/g, ' ');
  if ([...text].length <= maxStatusTextLength) return text;
  throw refused.because(`status_text is too long (limit: ${maxStatusTextLength} characters)`);
}

/** A request with empty emoji parts removes the emoji, because Zulip's clients send that. */
function emojiAfter(reader: Reader, before: Emoji, { emoji_name, emoji_code, reaction_type }: StatusRequest): Emoji {
  const { emoji_name: name, emoji_code: code, reaction_type: type } = before;
  if (emoji_name === '') return { emoji_name: '', emoji_code: '', reaction_type: '' };
  if (emoji_name === undefined) {
    if (!emoji_code && !reaction_type) return { emoji_name: name, emoji_code: code, reaction_type: type };
    throw refused.because('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  const emoji = requestedEmoji(reader, {
    emoji_name,
    emoji_code: emoji_code || undefined,
    reaction_type: reaction_type || undefined,
  });
  checkEmoji(reader, emoji);
  return emoji;
}
