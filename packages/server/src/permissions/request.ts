import { fromOwnPage, type RunningProduct } from '../testing/product.ts';
import type { Caller } from './callers.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export interface CallRequest {
  readonly url: string;
  readonly json?: object;
  readonly bytes?: string;
  readonly form?: Readonly<Record<string, string | File>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly admits: boolean;
}

export interface PermissionWorld {
  ask(method: Method, caller: Caller, request: CallRequest): Promise<Answer>;
}

export interface Sender {
  readonly cookie?: string;
  readonly authorization?: string;
  /** The network address that the request comes from; by default this machine's. */
  readonly address?: string;
}

export async function send(
  { app }: Pick<RunningProduct, 'app'>,
  method: Method,
  { url, json, bytes, form }: CallRequest,
  { address, ...credentials }: Sender = {},
): Promise<Answer> {
  const multipart = form && new Response(formData(form));
  const type = multipart?.headers.get('content-type') ?? (json && 'application/json') ?? (bytes && 'application/octet-stream');
  const payload = multipart ? Buffer.from(await multipart.arrayBuffer()) : json ? JSON.stringify(json) : bytes;
  const answer = await app.inject({
    method,
    url,
    headers: { host: 'localhost', ...fromOwnPage, ...(type === undefined ? {} : { 'content-type': type }), ...credentials },
    ...(payload === undefined ? {} : { payload }),
    ...(address === undefined ? {} : { remoteAddress: address }),
  });
  const admits = answer.cookies.some(({ name, value }) => name === 'engawa_session' && value !== '');
  return { status: answer.statusCode, text: answer.body, admits };
}

function formData(fields: NonNullable<CallRequest['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
