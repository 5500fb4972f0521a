/** The real chat server. Tests control the network between it and the browser of 田中 愛, and the calls of the product. */
import {
  connect,
  deleteQueue,
  editMessage,
  getMessages,
  sendMessage,
  updateMessageFlags,
  updateSettings,
  updateUserTopic,
} from '@engawa/client';
import type { Connection, Fetch } from '@engawa/client';
import * as eg from '@engawa/chat-server/testing/eg';
import {
  addressDirect,
  colorSchemes,
  registerQueue,
  roles,
  visibilityPolicies,
  type Message,
  type Subscription,
  type User,
} from '@engawa/protocol';
import { type LiveEvent, livePath } from '@engawa/protocol/live';
import { memberHeader, paths, type DepartmentNode, type DirectoryEntry, type Profile } from '@engawa/protocol/product';
import { topic } from '../src/model/constants.ts';
import { isDirect, participantsIn, type ConversationKey } from '../src/model/streams/conversation.ts';
import { ai, closed, design, general, ken, lunch, mai, open } from './organisation.ts';

/**
 * `cut`: the request never arrives. `lost`: it is performed and the answer is lost. `hold`: it waits for `release` before it is
 * performed; `late`: it is performed and its answer waits. `none`: it is answered. A response is the answer of a
 * request that never arrives.
 */
type Fault = 'cut' | 'lost' | 'hold' | 'late' | 'none' | Response | Promise<Response>;

interface Call {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the request continues after its page is closed. */
  readonly keepalive: boolean;
}

export type ChatServer = Awaited<ReturnType<typeof chatServer>>;

interface ChatServerOptions {
  /** The messages of 石川 健 in the first stream, the oldest first. */
  readonly history?: readonly string[];
  /** How many messages of `history` 田中 愛 has not read. Default: all. */
  readonly unread?: number;
}

const nameOf = ({ email }: User): string => email.replace(/@.*/, '');

export async function chatServer({ history = [], unread = history.length }: ChatServerOptions = {}) {
  const server = await eg.server({
    organisation: eg.organisation({
      users: [ai, ken, mai].map((user) =>
        eg.person(nameOf(user), user.full_name, user === ai ? roles.administrator : roles.member),
      ),
      streams: [
        streamOf(general, [ai, ken, mai]),
        streamOf(design, [ai, ken]),
        streamOf(lunch, [ai, ken]),
        { ...streamOf(open, [ken]), invite_only: false },
        streamOf(closed, [ken]),
      ],
      emoji: [],
      linkifiers: [],
      editLimits: { content: null, deletion: null, topic: null },
      messages: history.map((content) => eg.pastMessage(content, { by: nameOf(ken), stream: general.name })),
      unread: unread === 0 ? [] : [{ email: ai.email, stream: general.name, count: unread }],
    }),
    departments: { '1-1': ['ai', 'ken'] },
  });
  const network = faultyNetwork();
  const product = productOf();
  const live = liveOf();
  const lostQueues = new Set<string>();
  /** A registration waits until this promise resolves. */
  let registering = Promise.resolve();
  let signedIn: User | undefined = ai;
  let polling = 0;

  /** The current queues with their members. */
  const queues: (readonly [User, string])[] = [];

  async function performAs(user: User, { url, init }: NetworkRequest): Promise<Response> {
    const request = new Request(url, init);
    const { method, headers: sent } = request;
    const signal = init.signal ?? new AbortController().signal;
    const { status, headers, body } = await server.fetch({
      method,
      url: url.pathname + url.search,
      headers: { ...Object.fromEntries(sent), authorization: eg.basic(user.email, server.key(nameOf(user))) },
      body: async () => new Uint8Array(await request.arrayBuffer()),
      address: '192.0.2.1',
      signal,
    });
    signal.throwIfAborted();
    return new Response(new Uint8Array(body), { status, headers });
  }

  async function poll(user: User, request: NetworkRequest): Promise<Response> {
    polling += 1;
    try {
      const answer = await performAs(user, request);
      // A deleted queue's waiting poll ends without events. The next poll is refused.
      return lostQueues.has(request.url.searchParams.get('queue_id') ?? '') ? await performAs(user, request) : answer;
    } finally {
      polling -= 1;
    }
  }

  async function perform(request: NetworkRequest): Promise<Response> {
    const member = new Headers(request.init.headers).get(memberHeader);
    if (!signedIn || member !== String(signedIn.user_id)) return errorAnswer(401, 'UNAUTHORIZED', 'Not logged in');
    if (request.name === `GET ${livePath}`) return live.answer(request);
    const answer = product.answer(request);
    if (answer) return answer;
    if (request.name === 'GET /events') return poll(signedIn, request);
    if (request.name !== 'POST /register') return performAs(signedIn, request);
    await registering;
    const registered = await performAs(signedIn, request);
    const { queue_id } = registerQueue.answer.parse(await registered.clone().json());
    queues.push([signedIn, queue_id]);
    return registered;
  }

  const as = (user: User): Connection =>
    connect({
      realm: eg.realm.url,
      fetch: (input, init = {}) => performAs(user, { name: '', url: new URL(String(input)), init }),
    });

  async function send(sender: User, conversation: ConversationKey, content: string): Promise<number> {
    const to = isDirect(conversation)
      ? { type: 'direct', to: addressDirect(participantsIn(conversation)) }
      : { type: 'stream', to: String(conversation), topic };
    return (await sendMessage(as(sender), { ...to, content, read_by_sender: true })).id;
  }

  return {
    ...network,
    fetch: (input: Parameters<Fetch>[0], init?: RequestInit) => network.carry(input, init, perform),
    uploads: product.uploads,
    live,
    profileForms: product.profileForms,
    as,
    clock: server.clock,
    /** The number of waiting polls. */
    polling: (): number => polling,
    send,
    /** Sends one message after the other. @returns their ids. */
    async sendEach(sender: User, conversation: ConversationKey, contents: readonly string[]): Promise<readonly number[]> {
      const ids: number[] = [];
      for (const content of contents) ids.push(await send(sender, conversation, content));
      return ids;
    },
    edit: (author: User, message_id: number, content: string) => editMessage(as(author), { message_id, content }),
    /** Marks messages on another device of a member. */
    mark: (user: User, messages: readonly number[], isRead: boolean) =>
      updateMessageFlags(as(user), { messages: [...messages], op: isRead ? 'add' : 'remove', flag: 'read' }),
    /** Mutes the topic of our screens in a stream, or unmutes it, on another device of a member. */
    muteTopic: (user: User, stream_id: number, isMuted: boolean) =>
      updateUserTopic(as(user), {
        stream_id,
        topic,
        visibility_policy: isMuted ? visibilityPolicies.muted : visibilityPolicies.none,
      }),
    /** The messages that 田中 愛 can read, the oldest first. */
    async messages(): Promise<readonly Message[]> {
      const range = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false } as const;
      return (await getMessages(as(ai), range)).messages;
    },
    /** Ends the waiting polls of 田中 愛 by an event of little effect. */
    endPolls: () => updateSettings(as(ai), { color_scheme: colorSchemes.dark }),
    /** Publishes another tree of departments. The event has the entries of the users whom the change concerns. */
    async reorganise(tree: readonly DepartmentNode[], userIds: readonly number[]): Promise<void> {
      product.departments = tree;
      const people = product.directory.filter(({ user_id }) => userIds.includes(user_id));
      await server.running().publishDirectory({ people, departments: true });
    },
    /** Changes entries of the directory. @param isMany the event then has no entries. */
    async changeDirectory(changed: readonly DirectoryEntry[], isMany = false): Promise<void> {
      const ids = changed.map(({ user_id }) => user_id);
      product.directory = [...product.directory.filter(({ user_id }) => !ids.includes(user_id)), ...changed];
      await server.running().publishDirectory({ people: isMany ? undefined : [...changed], departments: false });
    },
    /** Changes a stream's picture, as the product does after an upload. */
    setStreamPicture: ({ stream_id }: Subscription, url: string | null) => server.setStreamPicture(ken.user_id, stream_id, url),
    /** Deletes all queues. `meanwhile` happens before the clients register again. */
    async loseQueues(meanwhile = () => Promise.resolve()): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      registering = promise;
      for (const [user, queue_id] of queues.splice(0)) {
        lostQueues.add(queue_id);
        await deleteQueue(as(user), { queue_id });
      }
      await meanwhile();
      resolve();
    },
    /** Changes the member of the browser's session; undefined ends the session. */
    signInAs(user: User | undefined): void {
      signedIn = user;
    },
  };
}

function streamOf({ name, description }: typeof general, subscribers: readonly User[]) {
  return { ...eg.stream(name, subscribers.map(nameOf)), description, creator: ken.email };
}

/** A request. Its name is `POST /messages`, for example, or the whole path for a call of the product. */
interface NetworkRequest {
  readonly name: string;
  readonly url: URL;
  readonly init: RequestInit;
}

/** Records calls, and makes them fail or wait. */
function faultyNetwork() {
  const calls: Call[] = [];
  const faults = new Map<string, Fault[]>();
  const responders = new Map<string, (parameters: Call['parameters']) => Response>();
  let held: (() => void)[] = [];

  const released = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      held.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });

  return {
    calls,
    called: (name: string): readonly Call[] => calls.filter((call) => call.name === name),
    /** Faults of the next requests with this name, in order. */
    fail: (name: string, ...next: readonly Fault[]): void => void faults.set(name, [...(faults.get(name) ?? []), ...next]),
    /** Answers all requests with this name from now on in place of the server. */
    respond: (name: string, answer: (parameters: Call['parameters']) => Response): void => void responders.set(name, answer),
    /** Continues held requests. */
    release(): void {
      held.forEach((resume) => resume());
      held = [];
    },
    async carry(
      input: Parameters<Fetch>[0],
      init: RequestInit = {},
      perform: (request: NetworkRequest) => Promise<Response>,
    ): Promise<Response> {
      const url = new URL(String(input));
      const name = `${init.method ?? 'GET'} ${url.pathname.replace('/api/v1', '')}`;
      const parameters = init.body instanceof URLSearchParams ? init.body : url.searchParams;
      calls.push({ name, parameters: Object.fromEntries(parameters), keepalive: init.keepalive ?? false });
      const signal = init.signal ?? new AbortController().signal;
      const fault = faults.get(name)?.shift();
      const release = fault === 'hold' || fault === 'late' ? released(signal) : undefined;
      if (fault === 'hold') await release;
      signal.throwIfAborted();
      if (fault === 'cut') throw new TypeError('fetch failed');
      if (fault instanceof Response || fault instanceof Promise) return fault;
      const responder = responders.get(name);
      const answer = responder ? responder(Object.fromEntries(parameters)) : await perform({ name, url, init });
      if (fault === 'lost') throw new TypeError('fetch failed');
      await release;
      signal.throwIfAborted();
      return answer;
    },
  };
}

/** The live channel of the product. */
function liveOf() {
  let epoch = 1;
  let events: object[] = [];
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const positionOf = (after: string | null): number | undefined => {
    const [named, position] = after?.split('.') ?? [];
    return named === String(epoch) ? Number(position) : undefined;
  };
  return {
    publish(event: LiveEvent): void {
      events.push({ ...event, id: events.length + 1 });
      change();
    },
    /** Forgets the events and the positions, as a restart of the product does. */
    restart(): void {
      epoch += 1;
      events = [];
      change();
    },
    async answer({ url, init: { signal } }: NetworkRequest): Promise<Response> {
      const after = url.searchParams.get('after');
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => leave());
      if (positionOf(after) === events.length) await Promise.race([changed.promise, left]);
      const position = positionOf(after);
      const missed = position === undefined;
      return answerOf({ after: `${epoch}.${events.length}`, missed, events: missed ? [] : events.slice(position) });
    },
  };
}

/** The calls that the product answers itself. */
function productOf() {
  const product = {
    directory: [
      { user_id: ai.user_id, reading: 'たなか あい', title: 'エンジニア', departments: ['1-1'] },
      { user_id: mai.user_id, reading: 'さとう まい', title: 'デザイナー', departments: [] },
      { user_id: ken.user_id, reading: 'いしかわ けん', title: '部長', departments: ['1-1', '1'] },
    ] as readonly DirectoryEntry[],
    /** The uploaded files, by stored name. */
    uploads: new Map<string, File>(),
    /** Submitted forms of the profile. */
    profileForms: new Array<FormData>(),
    departments: [
      { departmentCd: '1', displayName: general.name, children: [{ departmentCd: '1-1', displayName: '人事部' }] },
    ] as readonly DepartmentNode[],
    answer({ name, init: { body } }: NetworkRequest): Response | undefined {
      if (name === `GET ${paths.departmentTree}`) return answerOf({ data: { data: { data: product.departments } } });
      if (name === `GET ${paths.people}`) return answerOf({ people: product.directory, next: null });
      if (name === `GET ${paths.profile}`) return answerOf(profile);
      if (!(body instanceof FormData))
        return name.includes(' /api/') ? new Response('<h1>Not Found</h1>', { status: 404 }) : undefined;
      const file = body.get('file');
      if (file instanceof File) {
        product.uploads.set(String(body.get('dstFileName')), file);
        return answerOf({});
      }
      product.profileForms.push(body);
      profile = {
        ...profile,
        ...Object.fromEntries(['name', 'email', 'location'].map((field) => [field, String(body.get(field))])),
      };
      return answerOf(profile);
    },
  };
  let profile: Profile = { name: ai.full_name, email: ai.email, location: '東京本社', timezone: '', avatar_url: null };
  return product;
}

const answerOf = (answer: object) => Response.json({ result: 'success', msg: '', ...answer });

export function errorAnswer(status: number, code: string, msg: string): Response {
  return Response.json({ result: 'error', code, msg }, { status });
}
