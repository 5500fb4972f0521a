import { sendMessage } from '@engawa/protocol';
import { type OutgoingHook, outgoingHookPaths, outgoingHookSecrets, outgoingHooks } from '@engawa/protocol/outgoing-hooks';
import { z } from 'zod';
import { type RunningProduct, fromOwnPage } from './product.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export const administrator = 'takahashi.koichi';

/** Makes a call of the screens. */
export async function askHooks(product: RunningProduct, name: string, method: Method, url: string, payload?: object) {
  const headers = { host: 'localhost', ...fromOwnPage, authorization: await product.basicOf(name) };
  const answer = await product.app.inject({ method, url, headers, ...(payload && { payload }) });
  const json: unknown = answer.json();
  return { status: answer.statusCode, json, code: z.object({ code: z.string().optional() }).parse(json).code };
}

/** Allows the origin, which is in a private network, and gives 鈴木 a bot with a hook. */
export async function createHook(
  product: RunningProduct,
  origin: string,
  { owner = 'suzuki', name = '申請 係', stream_ids = [] }: { owner?: string; name?: string; stream_ids?: number[] } = {},
) {
  await askHooks(product, administrator, 'POST', outgoingHookPaths.origins, { origin, is_private: true });
  const body = { name, address: `${origin}/in`, stream_ids };
  const { json } = await askHooks(product, owner, 'POST', outgoingHookPaths.hooks, body);
  const created = outgoingHookSecrets.parse(json);
  const { id } = created.hook;
  return {
    ...created,
    id,
    /** The hook as its owner sees it. */
    async now(): Promise<OutgoingHook> {
      const listed = outgoingHooks.parse((await askHooks(product, owner, 'GET', outgoingHookPaths.hooks)).json);
      const hook = listed.hooks.find((each) => each.id === id);
      if (!hook) throw new Error('the hook is not listed');
      return hook;
    },
    change: (change: object) => askHooks(product, owner, 'PATCH', outgoingHookPaths.hook(id), change),
    async direct(content: string, from = 'tanaka'): Promise<number> {
      return (await product.call(from, sendMessage, { type: 'direct', to: `[${id}]`, content })).id;
    },
  };
}
