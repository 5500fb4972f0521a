import type { ScheduledMessage } from '@engawa/protocol';
import { z } from 'zod';
import type { Viewer } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { htmlRenderer } from '../messages/htmlRenderer.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { type ScheduledRow, scheduledMessages } from './store.ts';

const recipients = z.union([z.int(), z.array(z.int())]);
export type Recipients = z.output<typeof recipients>;

export const recipientsOf = (row: Pick<ScheduledRow, 'recipients'>): Recipients => recipients.parse(JSON.parse(row.recipients));

export function scheduledViews(reader: Reader, visibility: Visibility, viewer: Viewer): (row: ScheduledRow) => ScheduledMessage {
  const html = htmlRenderer(reader, visibility, viewer);
  return (row) => ({
    scheduled_message_id: row.id,
    type: row.type,
    to: recipientsOf(row),
    ...(row.type === 'stream' ? { topic: row.topic } : {}),
    content: row.content,
    rendered_content: html(row),
    scheduled_delivery_timestamp: row.due,
    failed: row.failed === 1,
  });
}

export const scheduledFor = (reader: Reader, visibility: Visibility, viewer: Viewer): ScheduledMessage[] =>
  scheduledMessages.of(reader, viewer.id).map(scheduledViews(reader, visibility, viewer));
