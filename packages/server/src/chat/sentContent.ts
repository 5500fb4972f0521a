import { fileMarker } from '@engawa/protocol';

/** Finds the message text where the chat server does: in the urlencoded or multipart form, else in the query. */
export async function sentContent(url: string, body: Buffer, contentType: string): Promise<string | undefined> {
  return (await contentOf(body, contentType)) ?? lastContent(new URL(url, 'http://chat.invalid').searchParams);
}

async function contentOf(body: Buffer, contentType: string): Promise<string | undefined> {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return lastContent(new URLSearchParams(body.toString('utf8')));
  }
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  // This form encodes nothing, so that a body without the marker needs no costly parsing.
  if (!body.includes(fileMarker)) return undefined;
  const content = (await formOf(body, contentType))?.getAll('content').at(-1);
  return typeof content === 'string' ? content : undefined;
}

/** @returns undefined for a malformed form, which the chat server refuses. */
async function formOf(body: Buffer, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

function lastContent(parameters: URLSearchParams): string | undefined {
  return parameters.getAll('content').at(-1);
}
