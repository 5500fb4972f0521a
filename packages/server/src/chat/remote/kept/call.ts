import { type ArrivedParameters, type ReadBody, givenBody, noBody, parametersOf } from '@engawa/chat-server/parts';
import type { ChatCall } from '../../backend.ts';
import { pathOf } from '../../callPath.ts';

export function queryOf({ url }: ChatCall): URLSearchParams {
  return new URL(url, 'http://chat.invalid').searchParams;
}

export interface ReceivedCall {
  readonly parameters: ArrivedParameters;
  /** Equal to the call, and its body can be read again. */
  readonly call: ChatCall;
}

/** Reads the body of a call, which the limit of the chat API bounds. @throws ChatError */
export async function receive(call: ChatCall): Promise<ReceivedCall> {
  let read: Uint8Array = new Uint8Array();
  const noting: ReadBody = async (most) => {
    const body = await call.body(most);
    read = body ?? read;
    return body;
  };
  const parameters = await parametersOf({ ...call, body: noting }, queryOf(call));
  return { parameters, call: { ...call, body: givenBody(read) } };
}

/** The call with these parameters instead of the original ones. */
export function withForm(call: ChatCall, parameters: Iterable<readonly [name: string, value: string]>): ChatCall {
  const { 'content-length': _, 'transfer-encoding': __, ...headers } = call.headers;
  const form = new URLSearchParams();
  for (const [name, value] of parameters) form.append(name, value);
  const body = Buffer.from(form.toString());
  const type = 'application/x-www-form-urlencoded';
  return {
    ...call,
    url: pathOf(call),
    headers: { ...headers, 'content-type': type, 'content-length': String(body.length) },
    body: givenBody(body),
  };
}

/** Another call by the same caller. */
export function asking({ headers, address, memberId, signal }: ChatCall, path: string): ChatCall {
  const { authorization, 'user-agent': agent } = headers;
  return {
    method: 'GET',
    url: `/api/v1${path}`,
    headers: { authorization, 'user-agent': agent },
    body: noBody,
    address,
    memberId,
    signal,
  };
}
