/**
 * The `content` of a send's form, urlencoded or multipart, with the room that the chat server gives it.
 * @returns undefined when the body is of another form or names no content.
 */
export async function sentContent(body: Uint8Array, contentType: string): Promise<string | undefined> {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return new URLSearchParams(new TextDecoder().decode(body)).get('content') ?? undefined;
  }
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  // The chat server has read the same bytes as a form before, so they are one.
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData();
  const content = form.get('content');
  return typeof content === 'string' ? content : undefined;
}
