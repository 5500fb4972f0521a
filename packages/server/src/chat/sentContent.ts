import { fileMarker } from '@engawa/protocol';

/**
 * The `content` of a send that may name a file, as the chat server reads it: of the form, urlencoded or multipart, or
 * else of the query.
 * @returns undefined when nothing names a content.
 */
export async function sentContent(url: string, body: Buffer, contentType: string): Promise<string | undefined> {
  return (await contentOf(body, contentType)) ?? lastContent(new URL(url, 'http://chat.invalid').searchParams);
}

async function contentOf(body: Buffer, contentType: string): Promise<string | undefined> {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return lastContent(new URLSearchParams(body.toString('utf8')));
  }
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  // Nothing is encoded in this form, so that the costly reading of it can be spared.
  if (!body.includes(fileMarker)) return undefined;
  // The chat server has read the same bytes as a form before, so they are one.
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const content = form.getAll('content').at(-1);
  return typeof content === 'string' ? content : undefined;
}

function lastContent(parameters: URLSearchParams): string | undefined {
  return parameters.getAll('content').at(-1);
}
