import { type Message, type MessageCall, messageCall, messageNotice } from '@engawa/protocol';
import { z } from 'zod';

/** Only the server writes the column `notice`, so no member can forge a notice or the card of a call. */
const storedCall = z.object({ kind: z.literal('call'), call: messageCall });
const stored = z.discriminatedUnion('kind', [storedCall, messageNotice]);

export function writtenCall(call: MessageCall): string {
  return JSON.stringify({ kind: 'call', call } satisfies z.input<typeof storedCall>);
}

/** A call has its own field, because clients of earlier versions refuse a notice of an unknown kind. */
export function noticeView(notice: string): Pick<Message, 'notice' | 'call'> {
  const parsed = stored.parse(JSON.parse(notice));
  return parsed.kind === 'call' ? { call: parsed.call } : { notice: parsed };
}
