/** The cards of messages from hooks. Apart from the message, because a browser needs them only for such a message. */
import { z } from 'zod/mini';

const cardField = z.object({ title: z.string(), value: z.string(), short: z.boolean() });

/** A title is plain text. The other texts are Markdown of Zulip. */
const cardPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('title'), text: z.string(), url: z.optional(z.string()) }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  /** Short fields stand beside each other. */
  z.object({ kind: z.literal('fields'), fields: z.array(cardField) }),
  /** Small print, such as an author or a footer. */
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('divider') }),
]);
export type CardPart = z.output<typeof cardPart>;

/** A part of a message from another program. */
export const messageCard = z.object({
  /** A bar at the side has this colour. */
  color: z.optional(z.string().check(z.regex(/^#[\da-f]{6}$/))),
  parts: z.array(cardPart),
});
export type MessageCard = z.output<typeof messageCard>;
