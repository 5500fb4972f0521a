import {
  createBot,
  deactivateUser,
  getOwnUser,
  getRealmEmoji,
  getStreamId,
  getSubscriptions,
  roles,
  sendMessage,
  subscribe,
  unsubscribe,
  updateSettings,
  updateUser,
  composeFileMessage,
} from '@engawa/protocol';
import { outgoingHookPaths, outgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { callPaths, joinedCall, startedCall } from '@engawa/protocol/calls';
import { hookPaths, hookSecrets } from '@engawa/protocol/hooks';
import { paths, profile, streamPicture } from '@engawa/protocol/product';
import { chatPaths } from '@engawa/protocol/uploads';
import { ownSessions } from '@engawa/protocol/sessions';
import { z } from 'zod';
import { png } from '../demo/documents/png.ts';
import { runProduct, type RunningProduct, signIn, cookieFrom } from '../testing/product.ts';
import { type CallRequest, type PermissionWorld, type Method, send } from './request.ts';
import { names } from './callers.ts';

/** The demo organisation with a member of each role, and data of 田中, who is none of them. */
export interface World extends PermissionWorld {
  readonly product: RunningProduct;
  /** A file of 田中 that was not sent, and one that everybody received. */
  readonly files: { readonly unsent: string; readonly sent: string };
  /** Pictures of 佐藤, who hides it, of 田中, and of 藤原, who shares no conversation with the guest. */
  readonly pictures: { readonly withheld: string; readonly shown: string; readonly unseen: string };
  /** The address of the picture of the custom emoji `own`. */
  readonly emoji: string;
  /** Uploads of 田中 through the chat API: one that was not sent, with its number, and one that everybody received. */
  readonly uploads: { readonly unsent: string; readonly sent: string; readonly number: number };
  /** Streams of 田中: one without other members, and one with everybody. */
  readonly groups: { readonly closed: Group; readonly common: Group };
  /** A call of 田中 in each group. `participant`: the id of 田中 in the call of the common group. */
  readonly started: { readonly closed: string; readonly common: string; readonly participant: string };
  /** A hook of 田中 in the common group. */
  readonly hook: { readonly id: number; readonly token: string };
  readonly session: string;
  /** 田中’s. */
  readonly outgoingHook: { readonly id: number; readonly address: string };
  /** A bot of 田中. */
  readonly bot: number;
  readonly ids: { readonly tanaka: number; readonly owner: number };
}

interface Group {
  readonly id: number;
  readonly picture: string;
}

export const image = (): File => new File([new Uint8Array(png(16, 16, () => [10, 120, 60]))], 'it.png', { type: 'image/png' });

const host = 'localhost';
/** Sessions of each deactivated member, which is the most that a member has. All are more than the rows, because a call may end one. */
const mostChecked = 100;
/** Is deactivated as well. */
const alsoDeactivated = 'ogawa';

export async function makeWorld(): Promise<World> {
  const product = await runProduct({ RATE_LIMIT: 'none' });
  const { owner } = names;
  const idOf = async (name: string) => (await product.call(name, getOwnUser, {})).user_id;
  for (const role of ['guest', 'moderator', 'administrator'] as const) {
    await product.call(owner, updateUser, { user_id: await idOf(names[role]), role: roles[role] });
  }

  const asMember = async (name: string, method: Method, request: CallRequest) => {
    const answer = await send(product, method, request, { authorization: await product.basicOf(name) });
    if (answer.status !== 200) throw new Error(`${method} ${request.url}: ${answer.text}`);
    return answer.text;
  };

  const everybody = await Promise.all(['tanaka', ...Object.values(names)].map(idOf));
  const group = async (name: string, principals: readonly number[]): Promise<Group> => {
    await product.call('tanaka', subscribe, { subscriptions: [{ name }], principals: [...principals], invite_only: true });
    const { stream_id: id } = await product.call('tanaka', getStreamId, { stream: name });
    const request = { url: `${paths.streams}${id}/picture`, form: { image: image() } };
    return { id, picture: streamPicture.parse(JSON.parse(await asMember('tanaka', 'POST', request))).picture_url ?? '' };
  };
  const { subscriptions } = await product.call(names.guest, getSubscriptions, {});
  await product.call(names.guest, unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) });
  const groups = { closed: await group('閉じた会', [await idOf('tanaka')]), common: await group('みんなの会', everybody) };

  const upload = async (storedName: string) => {
    const form = { file: new File(['ひみつ'], '議事録.txt'), dstFileName: storedName };
    await asMember('tanaka', 'POST', { url: paths.upload, form });
    return paths.storage + storedName;
  };
  const files = { unsent: await upload(`${'unsent'.padEnd(20, '0')}.txt`), sent: await upload(`${'sent'.padEnd(20, '0')}.txt`) };
  await product.call('tanaka', sendMessage, {
    type: 'stream',
    to: 'みんなの会',
    topic: '資料',
    content: composeFileMessage({ name: '議事録.txt', storedName: files.sent.slice(paths.storage.length), size: 9 }),
  });

  const pictureOf = async (name: string, fullName: string) => {
    const form = { name: fullName, email: `${name}@engawa.example`, location: '本社', image: image() };
    return profile.parse(JSON.parse(await asMember(name, 'POST', { url: paths.profile, form }))).avatar_url ?? '';
  };
  const pictures = {
    withheld: await pictureOf('sato', '佐藤 美咲'),
    shown: await pictureOf('tanaka', '田中 翔'),
    unseen: await pictureOf('fujiwara', '藤原 恒一'),
  };
  await product.call('sato', updateSettings, { photo_audience: { audience: 'nobody' } });

  await asMember('tanaka', 'POST', { url: `${chatPaths.newEmoji}own`, form: { file: image() } });
  const all = await product.call('tanaka', getRealmEmoji, {});
  const emoji = Object.values(all.emoji).find(({ name }) => name === 'own')?.source_url ?? '';

  const uploadByApi = async () => {
    const request = { url: chatPaths.userUploads, form: { file: new File(['ひみつ'], '議事録.txt') } };
    return z.object({ uri: z.string() }).parse(JSON.parse(await asMember('tanaka', 'POST', request))).uri;
  };
  const uploadLinks = { unsent: await uploadByApi(), sent: await uploadByApi() };
  await product.call('tanaka', sendMessage, {
    type: 'stream',
    to: 'みんなの会',
    topic: '資料',
    content: `[議事録](${uploadLinks.sent})`,
  });
  const listedFiles = z
    .object({ attachments: z.array(z.object({ id: z.int(), path_id: z.string() })) })
    .parse(JSON.parse(await asMember('tanaka', 'GET', { url: chatPaths.attachments })));
  const number = listedFiles.attachments.find(({ path_id }) => uploadLinks.unsent.endsWith(path_id))?.id ?? 0;

  const startIn = async (conversation: number) => {
    const request = { url: callPaths.calls, json: { conversation, kind: 'audio', ring: false } };
    return startedCall.parse(JSON.parse(await asMember('tanaka', 'POST', request))).call.id;
  };
  const calls = { closed: await startIn(groups.closed.id), common: await startIn(groups.common.id) };
  const state = { muted: true, camera: false, screen: false, listen_only: false };
  const entry = await asMember('tanaka', 'POST', { url: callPaths.join(calls.common), json: { state } });
  const { participant } = joinedCall.parse(JSON.parse(entry));

  const { user_id: bot } = await product.call('tanaka', createBot, { full_name: '警報 係', short_name: 'keihou' });
  const asked = { url: hookPaths.hooks, json: { name: '通知係', stream_id: groups.common.id, topic: '通知' } };
  const made = hookSecrets.parse(JSON.parse(await asMember('tanaka', 'POST', asked)));
  const hook = { id: made.hook.id, token: made.address.slice(made.address.lastIndexOf('/') + 1) };

  const origin = 'https://hooks.example.com';
  await asMember(owner, 'POST', { url: outgoingHookPaths.origins, json: { origin } });
  const address = `${origin}/in`;
  const hookRequest = { url: outgoingHookPaths.hooks, json: { name: '申請 係', address } };
  const { hook: outgoing } = outgoingHookSecrets.parse(JSON.parse(await asMember('tanaka', 'POST', hookRequest)));

  const cookieOf = async (name: string) => cookieFrom((await signIn(product, name)).headers['set-cookie']);
  const ownCookie = await cookieOf('tanaka');
  const listed = await product.app.inject({ url: paths.sessions, headers: { host, cookie: ownCookie } });
  const [{ id: session } = { id: '' }] = ownSessions.parse(listed.json()).sessions;

  // Sessions of deactivated members, which must begin before the deactivation.
  const left: string[] = [];
  for (const name of [names.deactivated, alsoDeactivated]) {
    for (let count = 0; count < mostChecked; count += 1) left.push(await cookieOf(name));
    await product.call(owner, deactivateUser, { user_id: await idOf(name) });
  }

  return {
    product,
    files,
    pictures,
    emoji,
    uploads: { ...uploadLinks, number },
    groups,
    started: { ...calls, participant },
    hook,
    session,
    outgoingHook: { id: outgoing.id, address },
    bot,
    ids: { tanaka: await idOf('tanaka'), owner: await idOf(owner) },
    async ask(method, caller, request) {
      if (caller === 'nobody') return send(product, method, request);
      const cookie = caller === 'deactivated' ? left.pop() : await cookieOf(names[caller]);
      if (cookie === undefined) throw new Error('more rows than mostAsked');
      return send(product, method, request, { cookie });
    },
  };
}
