/** Parts of the marker of a file message and of `uploadsPath` that only a program which encodes letters writes in another way. */
const words = ['engawa', 'uploads'];
const encodedLetter = /%(?:[46][1-9a-f]|[57][0-9a])/i;

/** Whether the message may have a file. Few messages do, so that most need not be decoded here. */
export function mayNameFile(url: string, body: Uint8Array): boolean {
  const text = url + Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  return words.some((word) => text.includes(word)) || encodedLetter.test(text);
}

/** Finds the message text where the chat server does: in the urlencoded or multipart form, else in the query. */
export async function sentContent(url: string, body: Buffer, contentType: string): Promise<string | undefined> {
  return (await contentOf(body, contentType)) ?? lastContent(new URL(url, 'http://chat.invalid').searchParams);
}

async function contentOf(body: Buffer, contentType: string): Promise<string | undefined> {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return lastContent(new URLSearchParams(body.toString('utf8')));
  }
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
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
