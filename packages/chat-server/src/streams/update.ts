import type { ParametersOut, updateStream as updateStreamCall } from '@engawa/protocol';
import type { Viewer } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { escapeHtml } from '../text/characters.ts';
import type { Bindings } from './bindings.ts';
import { streamUpdated } from './events.ts';
import { cleanDescription, cleanName } from './name.ts';
import { managedStream, mayManage } from './rights.ts';
import { streamView } from './view.ts';

type Request = ParametersOut<typeof updateStreamCall>;

export function updateStream(
  tx: Transaction,
  log: EventLog,
  bindings: Bindings,
  caller: Viewer,
  { stream_id, new_name, description, ...settings }: Request,
): void {
  const stream = managedStream(tx, caller, stream_id);
  refuseOtherSettings(stream, settings);
  if (new_name !== undefined) rename(tx, log, bindings, stream, cleanName(new_name));
  if (description !== undefined) describe(tx, log, stream, cleanDescription(description));
}

function rename(tx: Transaction, log: EventLog, bindings: Bindings, stream: StreamRow, name: string): void {
  if (name === stream.name) throw refused.because('Stream already has that name!');
  if (bindings.isBound(stream.conversation_id)) throw refused.because('A bound stream cannot be renamed.');
  const other = streams.byName(tx, name);
  if (other && other.conversation_id !== stream.conversation_id) {
    throw refused.because(`Stream name '${name}' is already taken.`);
  }
  streams.rename(tx, stream.conversation_id, name);
  log.append(tx, streamUpdated(stream, 'name', name));
}

function describe(tx: Transaction, log: EventLog, stream: StreamRow, description: string): void {
  if (description === stream.description) return;
  streams.setDescription(tx, stream.conversation_id, description);
  const now = streams.byId(tx, stream.conversation_id) ?? stream;
  log.append(tx, streamUpdated(now, 'description', description, { rendered_description: escapeHtml(description) }));
}

/** @param url the picture's address; null removes it. @returns whether the member may set it. */
export function setPicture(tx: Transaction, log: EventLog, caller: Viewer, streamId: number, url: string | null): boolean {
  const stream = streams.byId(tx, streamId);
  if (!stream || stream.is_archived || !mayManage(tx, caller, stream)) return false;
  if (stream.picture_url === url) return true;
  streams.setPicture(tx, streamId, url);
  log.append(tx, streamUpdated(stream, 'picture_url', url));
  return true;
}

/** Refuses a setting that cannot be changed, unless the request gives its current value. */
function refuseOtherSettings(stream: StreamRow, settings: Omit<Request, 'stream_id' | 'new_name' | 'description'>): void {
  const { is_private, message_retention_days: days = 'realm_default', can_remove_subscribers_group, ...others } = settings;
  const current: Readonly<Record<string, unknown>> = { ...streamView(stream), is_default_stream: stream.is_default === 1 };
  const differs =
    (is_private !== undefined && is_private !== (stream.invite_only === 1)) ||
    days !== 'realm_default' ||
    can_remove_subscribers_group !== undefined ||
    Object.entries(others).some(([name, value]) => value !== undefined && value !== current[name]);
  if (differs) throw refused.because('Access, posting and retention of a stream cannot be changed.');
}
