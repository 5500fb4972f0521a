import { z } from 'zod';
import type { NextHooked } from '../../chat/backend.ts';
import { parseJson } from '../../parseJson.ts';
import { storable } from '../storable.ts';
import type { Answer } from './post.ts';

type Hooked = NonNullable<NextHooked['hooked']>;

/** The body of a post, in the form of Zulip's outgoing webhooks. */
export function payloadOf(
  { name, email }: NextHooked['bot'],
  { trigger, message, renderedContent }: Hooked,
  token: string,
): string {
  return JSON.stringify({
    bot_email: email,
    bot_full_name: name,
    data: message.content,
    message: { ...message, rendered_content: renderedContent },
    token,
    trigger,
  });
}

/** The text that a receiver answers; undefined for none. @throws UnreadableAnswerError */
export function textIn({ body, type }: Answer): string | undefined {
  // A receiver that knows only the signature answers anything, for example `ok` or a long page.
  if (!/^application\/json\b/i.test(type)) return undefined;
  if (body === undefined) throw new UnreadableAnswerError();
  if (body.trim() === '') return undefined;
  const answer = answerBody.safeParse(parseJson(body));
  if (!answer.success) throw new UnreadableAnswerError();
  const { content, response_string, response_not_required } = answer.data;
  const text = content ?? response_string ?? '';
  return response_not_required || text.trim() === '' ? undefined : text;
}

export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

const text = z.string().transform(storable);
/** `response_string` is an earlier name of `content`. */
const answerBody = z.object({
  content: text.nullish(),
  response_string: text.nullish(),
  response_not_required: z.boolean().nullish(),
});
