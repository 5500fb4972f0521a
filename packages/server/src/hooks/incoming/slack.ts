import { foreignMarkdown } from '@engawa/markup/dialects';
import type { CardPart, MessageCard } from '@engawa/protocol';
import { z } from 'zod';
import { type HookMessage, PayloadError, card, colours, linkSource, note, text, title } from './message.ts';
import { mrkdwnSource, plainOf, unescaped } from './mrkdwn.ts';

/** Slack allows 100 attachments and 50 blocks. */
const maxAttachments = 100;
const maxBlocks = 50;

/** Programs send numbers and booleans where a text belongs. */
const shown = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish();
const textObject = z.union([
  z.string().transform((string) => ({ type: 'mrkdwn', text: string })),
  z.object({ type: z.string(), text: z.string() }),
]);
type TextObject = z.output<typeof textObject>;

/** Kinds that are not read, such as a menu, become this one. A known kind that is malformed is refused. */
const otherThan = (...known: readonly string[]) =>
  z
    .object({ type: z.string() })
    .refine(({ type }) => !known.includes(type))
    .transform(() => ({ type: 'other' as const }));

const image = z.object({
  type: z.literal('image'),
  image_url: z.string().nullish(),
  alt_text: z.string().nullish(),
  title: textObject.nullish(),
});
const element = z.union([
  image,
  z.object({ type: z.literal('button'), text: textObject, url: z.string().nullish() }),
  z.object({ type: z.enum(['mrkdwn', 'plain_text']), text: z.string() }),
  otherThan('image', 'button', 'mrkdwn', 'plain_text'),
]);
type Element = z.output<typeof element>;

const block = z.union([
  z.object({ type: z.literal('header'), text: textObject }),
  z.object({
    type: z.literal('section'),
    text: textObject.nullish(),
    fields: z.array(textObject).nullish(),
    accessory: element.nullish(),
  }),
  z.object({ type: z.enum(['context', 'actions']), elements: z.array(element) }),
  image,
  z.object({ type: z.literal('divider') }),
  otherThan('header', 'section', 'context', 'actions', 'image', 'divider'),
]);
type Block = z.output<typeof block>;

const attachment = z.object({
  color: z.string().nullish(),
  pretext: shown,
  author_name: shown,
  author_link: z.string().nullish(),
  title: shown,
  title_link: z.string().nullish(),
  text: shown,
  fallback: shown,
  fields: z.array(z.object({ title: shown, value: shown, short: z.union([z.boolean(), z.string()]).nullish() })).nullish(),
  blocks: z.array(block).max(maxBlocks).nullish(),
  image_url: z.string().nullish(),
  thumb_url: z.string().nullish(),
  footer: shown,
  ts: z.union([z.number(), z.string()]).nullish(),
});
type Attachment = z.output<typeof attachment>;

const payload = z.object({
  text: shown,
  blocks: z.array(block).max(maxBlocks).nullish(),
  attachments: z.array(attachment).max(maxAttachments).nullish(),
});

/** A message for a Slack-compatible incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export function slackMessage(body: unknown): HookMessage {
  const parsed = payload.safeParse(body);
  if (!parsed.success) throw new PayloadError('invalid_payload');
  const { text: topText, blocks, attachments } = parsed.data;
  // Blocks replace the text, which is then for notifications only.
  const fromBlocks = (blocks ?? []).flatMap(partsOfBlock);
  const top = fromBlocks.length > 0 ? card(undefined, ...fromBlocks) : card(undefined, text(topText && mrkdwnSource(topText)));
  const cards = [top, ...(attachments ?? []).flatMap(cardsOfAttachment)].filter(({ parts }) => parts.length > 0);
  if (cards.length === 0) throw new PayloadError('no_text');
  return { cards, topic: undefined };
}

function cardsOfAttachment(attached: Attachment): MessageCard[] {
  const { pretext, author_name, author_link, text: body, title: heading, title_link, footer, ts } = attached;
  const parts = [
    note(author_name && linkSource(unescaped(author_name), author_link)),
    title(heading && unescaped(heading), title_link),
    text(body && mrkdwnSource(body)),
    ...(attached.blocks ?? []).flatMap(partsOfBlock),
    fieldsOf(attached),
    note(picture('', attached.image_url ?? attached.thumb_url)),
  ].filter((part) => part !== undefined);
  // The fallback is for clients that show nothing else.
  const inside = parts.length > 0 ? parts : [text(attached.fallback && mrkdwnSource(attached.fallback))];
  const end = [footer ? plainOf(footer) : '', ts ? timeSource(ts) : ''].filter((each) => each !== '').join(' · ');
  return [card(undefined, text(pretext && mrkdwnSource(pretext))), card(colourOf(attached.color), ...inside, note(end))].filter(
    (each) => each.parts.length > 0,
  );
}

function fieldsOf({ fields: given }: Attachment): CardPart | undefined {
  if (!given || given.length === 0) return undefined;
  const fields = given.map((field) => ({
    title: unescaped(field.title ?? ''),
    value: mrkdwnSource(field.value ?? ''),
    short: field.short === true || field.short === 'true',
  }));
  return { kind: 'fields', fields };
}

/** Unix seconds; some programs send milliseconds or a text. */
function timeSource(ts: number | string): string {
  const seconds = Math.floor(Number(ts));
  if (!Number.isFinite(seconds) || seconds <= 0) return '';
  return `<time:${seconds > 99_999_999_999 ? Math.floor(seconds / 1000) : seconds}>`;
}

function colourOf(color: string | null | undefined): string {
  const named = Object.entries(colours).find(([name]) => name === color)?.[1];
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(color ?? '')?.[1]?.toLowerCase();
  if (named !== undefined || digits === undefined) return named ?? colours.neutral;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

function partsOfBlock(given: Block): CardPart[] {
  return partsOf(given).filter((part) => part !== undefined);
}

function partsOf(given: Block): readonly (CardPart | undefined)[] {
  switch (given.type) {
    case 'header':
      return [title(unescaped(given.text.text))];
    case 'section':
      return [
        text(given.text && sourceOf(given.text)),
        sectionFields(given.fields),
        note(given.accessory && elementSource(given.accessory)),
      ];
    case 'context':
    case 'actions':
      return [note(spaced(given.elements.map(elementSource)))];
    case 'image':
      return [note(elementSource(given))];
    case 'divider':
      return [{ kind: 'divider' }];
    case 'other':
      return [];
  }
}

function spaced(sources: readonly string[]): string {
  return foreignMarkdown(sources.filter((source) => source !== '').join(' '));
}

/** A field of a section has no title. Senders often write one in bold as the first line. */
function sectionFields(given: readonly TextObject[] | null | undefined): CardPart | undefined {
  if (!given || given.length === 0) return undefined;
  const fields = given.map((field) => {
    const [, bold, rest] = /^\*([^*\n]+)\*:?[ ]*\n?([\s\S]+)$/.exec(field.type === 'mrkdwn' ? field.text.trim() : '') ?? [];
    if (bold === undefined || rest === undefined) return { title: '', value: sourceOf(field), short: true };
    return { title: unescaped(bold.replace(/[:：]$/, '')), value: mrkdwnSource(rest), short: true };
  });
  return { kind: 'fields', fields };
}

const sourceOf = ({ type, text: given }: TextObject): string => (type === 'mrkdwn' ? mrkdwnSource(given) : plainOf(given));

/** A picture and a button become links. Other controls do nothing outside of Slack, so they are left out. */
function elementSource(given: Element): string {
  switch (given.type) {
    case 'image':
      return picture(given.title ? unescaped(given.title.text) : (given.alt_text ?? ''), given.image_url);
    case 'button':
      return given.url ? linkSource(unescaped(given.text.text), given.url) : '';
    case 'mrkdwn':
    case 'plain_text':
      return sourceOf(given);
    case 'other':
      return '';
  }
}

function picture(label: string, url: string | null | undefined): string {
  return url ? linkSource(label === '' ? '画像' : label, url) : '';
}
