import type { ParametersOut, updateStream } from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import type { Viewer } from '../conversations/access.ts';
import type { Bindings } from './bindings.ts';
import { cleanDescription, cleanName } from './name.ts';
import { managedStream, mayManage } from './rights.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import { changed } from './events.ts';
import { escapeHtml, streamView } from './view.ts';

type Asked = ParametersOut<typeof updateStream>;

/** Renames and describes a stream as its manager asks; everyone who can see it hears of it. */
export function changeStream(
  tx: Transaction,
  log: EventLog,
  bindings: Bindings,
  caller: Viewer,
  { stream_id, new_name, description, ...settings }: Asked,
): void {
  const stream = managedStream(tx, caller, stream_id);
  refuseOtherSettings(stream, settings);
  if (new_name !== undefined) rename(tx, log, bindings, stream, cleanName(new_name));
  if (description !== undefined) describe(tx, log, stream, cleanDescription(description));
}

function rename(tx: Transaction, log: EventLog, bindings: Bindings, stream: StreamRow, name: string): void {
  if (name === stream.name) throw refused.because('Stream already has that name!');
  if (bindings.isBound(stream.conversation_id)) {
    throw refused.because('A stream that is bound to a department has its name.');
  }
  const other = streams.byName(tx, name);
  // Another writing of its own name is no other name.
  if (other && other.conversation_id !== stream.conversation_id) {
    throw refused.because(`Stream name '${name}' is already taken.`);
  }
  streams.rename(tx, stream.conversation_id, name);
  log.append(tx, changed(stream, 'name', name));
}

function describe(tx: Transaction, log: EventLog, stream: StreamRow, description: string): void {
  if (description === stream.description) return;
  streams.setDescription(tx, stream.conversation_id, description);
  const now = streams.byId(tx, stream.conversation_id) ?? stream;
  log.append(tx, changed(now, 'description', description, { rendered_description: escapeHtml(description) }));
}

/**
 * Says where a stream's picture is; null: nowhere.
 * @returns whether the member may say so.
 */
export function setPicture(tx: Transaction, log: EventLog, caller: Viewer, streamId: number, url: string | null): boolean {
  const stream = streams.byId(tx, streamId);
  if (!stream || stream.is_archived || !mayManage(tx, caller, stream)) return false;
  if (stream.picture_url === url) return true;
  streams.setPicture(tx, streamId, url);
  log.append(tx, changed(stream, 'picture_url', url));
  return true;
}

/** Said in words, so that nobody believes to have got what they asked for. */
function refuseOtherSettings(stream: StreamRow, asked: Omit<Asked, 'stream_id' | 'new_name' | 'description'>): void {
  const { is_private, message_retention_days: days = 'realm_default', can_remove_subscribers_group, ...others } = asked;
  const now: Readonly<Record<string, unknown>> = { ...streamView(stream), is_default_stream: false };
  const differs =
    (is_private !== undefined && is_private !== (stream.invite_only === 1)) ||
    days !== 'realm_default' ||
    can_remove_subscribers_group !== undefined ||
    Object.entries(others).some(([name, value]) => value !== undefined && value !== now[name]);
  if (differs) throw refused.because('Who reads a stream, who writes in it and for how long stays as it was made.');
}
