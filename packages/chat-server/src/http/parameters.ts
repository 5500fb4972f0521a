import { refused } from '../errors.ts';
import type { ChatRequest } from './exchange.ts';

/** Bytes. The longest message with other parameters fits, even percent-encoded. Files are uploaded elsewhere. */
const mostBodyBytes = 1024 * 1024;

/** If a parameter is in the body and in the query, the one in the body counts. */
export class ArrivedParameters {
  readonly #values: ReadonlyMap<string, string>;
  readonly #read = new Set<string>(['client', 'method']);

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /** Also notes an arrived parameter as supported. The answer lists all others as ignored. */
  readonly get = (name: string): string | undefined => {
    const value = this.#values.get(name);
    if (value !== undefined) this.#read.add(name);
    return value;
  };

  entries(): Iterable<[name: string, value: string]> {
    return this.#values.entries();
  }

  unread(): string[] {
    return [...this.#values.keys()].filter((name) => !this.#read.has(name));
  }
}

export function hasBody({ method }: ChatRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** @throws ChatError for a body that is too large or has an unknown type. */
export async function parametersOf(
  request: ChatRequest,
  query: Iterable<readonly [name: string, value: string]>,
): Promise<ArrivedParameters> {
  const values = new Map<string, string>(query);
  if (!hasBody(request)) return new ArrivedParameters(values);
  const read = await request.body(mostBodyBytes);
  if (!read) throw refused.bodyTooLarge(mostBodyBytes);
  const body = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  if (body.length === 0) return new ArrivedParameters(values);
  const type = String(request.headers['content-type'] ?? '');
  const form = isEncoded.test(type) ? new URLSearchParams(body.toString('utf8')) : await multipartTexts(body, type);
  for (const [name, value] of form) values.set(name, value);
  return new ArrivedParameters(values);
}

const isEncoded = /^application\/x-www-form-urlencoded\b/i;

async function multipartTexts(body: Buffer, type: string): Promise<[string, string][]> {
  if (!/^multipart\/form-data\b/i.test(type)) throw refused.bodyTypeUnknown();
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refused.bodyMalformed();
  }
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}
