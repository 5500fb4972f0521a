import { type Message, type MessageCall, type MessageCard, messageCall, messageCard, messageNotice } from '@engawa/protocol';
import { z } from 'zod';

/** Only the server writes the column `notice`, so no member can forge a notice, the card of a call or those of a hook. */
const storedCall = z.object({ kind: z.literal('call'), call: messageCall });
const storedCards = z.object({ kind: z.literal('cards'), cards: z.array(messageCard) });
const stored = z.discriminatedUnion('kind', [storedCall, storedCards, messageNotice]);

export function writtenCall(call: MessageCall): string {
  return JSON.stringify({ kind: 'call', call } satisfies z.input<typeof storedCall>);
}

export function writtenCards(cards: readonly MessageCard[]): string {
  return JSON.stringify({ kind: 'cards', cards: [...cards] } satisfies z.input<typeof storedCards>);
}

/** Calls and cards have their own fields, because clients of earlier versions refuse a notice of an unknown kind. */
export function noticeView(notice: string): Pick<Message, 'notice' | 'call' | 'cards'> {
  const parsed = stored.parse(JSON.parse(notice));
  switch (parsed.kind) {
    case 'call':
      return { call: parsed.call };
    case 'cards':
      return { cards: parsed.cards };
    default:
      return { notice: parsed };
  }
}
