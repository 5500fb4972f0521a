/** A chat server in memory behind `fetch`, with the calls that the model needs, and network faults. */
import * as endpoints from '@engawa/protocol';
import {
  decodeParameters,
  ParameterError,
  type AnswerIn,
  type Endpoint,
  type Message,
  type ParametersOut,
  type Subscription,
  type User,
} from '@engawa/protocol';
import {
  memberHeader,
  paths,
  type DepartmentNode,
  type DirectoryEntry,
  type Profile,
  type Session,
} from '@engawa/protocol/product';
import type { Fetch } from '@engawa/client';

/**
 * `cut`: the request never arrives. `lost`: it is performed and the answer is lost. `hold`: it waits for `release` before it is
 * performed; `late`: it is performed and its answer waits.
 */
export type Fault = 'cut' | 'lost' | 'hold' | 'late' | Response;

export interface Call {
  /** `POST /messages`, or a call of the product with its whole path. */
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the request survives its page. */
  readonly keepalive: boolean;
}

interface Stored {
  readonly message: Message;
  read: boolean;
}

interface Logged {
  readonly id: number;
  readonly type: string;
  readonly local?: { readonly queueId: string | undefined; readonly localId: string | undefined };
  readonly fields: Readonly<Record<string, unknown>>;
}

export const ai = user(1, 'ai@engawa.example', '田中 愛');
export const ken = user(2, 'ken@engawa.example', '石川 健');
export const mai = user(3, 'mai@engawa.example', '佐藤 舞');
export const general = stream(10, '全社アナウンス');
export const design = stream(11, 'デザイン室');
export const lunch = stream(12, 'ランチ');

/** Streams that 田中 愛 has not joined: the first is public, the second private. */
export const open = stream(20, '社内公開');
export const closed = stream(21, '役員会');

export type ChatServer = ReturnType<typeof chatServer>;

export function chatServer() {
  const streams = new Map([general, design, lunch].map((each) => [each.stream_id, each]));
  const messages: Stored[] = [];
  const log: Logged[] = [];
  const queues = new Set<string>();
  const starred = new Set<number>();
  const departed = new Set<number>();
  const clientIds = new Map<string, number>();
  const uploads = new Map<string, File>();
  const calls: Call[] = [];
  /** User ids by message id. */
  const readers = new Map<number, readonly number[]>();
  let profile: Profile = {
    name: ai.full_name,
    email: ai.email,
    location: '東京本社',
    timezone: '',
    avatar_url: ai.avatar_url ?? null,
  };
  /** By user id. */
  const present = new Map<number, { readonly active_timestamp: number; readonly idle_timestamp: number }>();
  const profileForms: FormData[] = [];
  const faults = new Map<string, Fault[]>();
  const waiting = new Set<() => void>();
  let held: (() => void)[] = [];
  let nextId = 100;
  let nextQueue = 1;
  let nextStream = 30;
  let signedIn: number | undefined = ai.user_id;
  const directory: readonly DirectoryEntry[] = [
    { user_id: ai.user_id, reading: 'たなか あい', title: 'エンジニア', departments: ['1-1'] },
    { user_id: mai.user_id, reading: 'さとう まい', title: 'デザイナー', departments: [] },
    { user_id: ken.user_id, reading: 'いしかわ けん', title: '部長', departments: ['1-1', '1'] },
  ];
  let departments: readonly DepartmentNode[] = [
    { departmentCd: '1', displayName: '全社アナウンス', children: [{ departmentCd: '1-1', displayName: '人事部' }] },
  ];

  function signedInMember(): number {
    if (signedIn === undefined) throw refusal(401, 'UNAUTHORIZED', 'Not logged in');
    return signedIn;
  }

  function wakePolls(): void {
    waiting.forEach((wake) => wake());
  }

  function happen(type: string, fields: Readonly<Record<string, unknown>>, local?: Logged['local']): void {
    log.push({ id: log.length + 1, type, fields, ...(local ? { local } : {}) });
    wakePolls();
  }

  function say(
    senderId: number,
    streamId: number,
    content: string,
    { topic = 'stream events', local }: { readonly topic?: string; readonly local?: Logged['local'] } = {},
  ): number {
    nextId += 1;
    return arrive(messageOf(nextId, userOf(senderId), streams.get(streamId) ?? general, content, topic), local);
  }

  /** Sends a direct message to these users and the sender. */
  function sayTo(senderId: number, userIds: readonly number[], content: string, local?: Logged['local']): number {
    nextId += 1;
    const people = [...new Set([senderId, ...userIds])].toSorted((one, other) => one - other).map(userOf);
    return arrive(directMessageOf(nextId, userOf(senderId), people, content), local);
  }

  function arrive(message: Message, local: Logged['local']): number {
    const read = message.sender_id === ai.user_id;
    messages.push({ message, read });
    happen('message', { message, flags: read ? ['read'] : [] }, local);
    return message.id;
  }

  function recentDirects() {
    const newest = new Map(messages.map(({ message }) => [directIdsOf(message).join(), message.id]));
    newest.delete('');
    return [...newest].map(([ids, max_message_id]) => {
      return {
        max_message_id,
        user_ids: ids
          .split(',')
          .map(Number)
          .filter((id) => id !== ai.user_id),
      };
    });
  }

  function unreadDirects() {
    const unread = Map.groupBy(
      messages.filter(({ read }) => !read),
      ({ message }) => directIdsOf(message).join(),
    );
    unread.delete('');
    return [...unread].map(([ids, stored]) => ({ ids, unread_message_ids: stored.map(({ message }) => message.id) }));
  }

  const inNarrow = (narrow: readonly { readonly operator: string; readonly operand: unknown }[]) => (stored: Stored) =>
    narrow.every(({ operator, operand }) => {
      if (operator === 'stream') return stored.message.display_recipient === operand;
      if (operator === 'dm') return directIdsOf(stored.message).join() === String(operand);
      return stored.message.sender_email === operand;
    });

  const routes = [
    route(endpoints.registerQueue, () => {
      const queueId = `queue-${nextQueue}`;
      nextQueue += 1;
      queues.add(queueId);
      const unread = Map.groupBy(
        messages.filter(({ read, message }) => !read && message.stream_id !== undefined),
        ({ message }) => message.stream_id ?? 0,
      );
      return {
        queue_id: queueId,
        last_event_id: log.length,
        zulip_version: '10.0',
        zulip_feature_level: 371,
        max_message_id: messages.at(-1)?.message.id ?? 0,
        user_id: signedInMember(),
        realm_message_content_edit_limit_seconds: 600,
        realm_message_content_delete_limit_seconds: 600,
        realm_users: [ai, ken, mai].filter(({ user_id }) => !departed.has(user_id)),
        realm_non_active_users: [ai, ken, mai].filter(({ user_id }) => departed.has(user_id)),
        recent_private_conversations: recentDirects(),
        user_settings: { send_read_receipts: true },
        presences: Object.fromEntries(present),
        presence_last_update_id: present.size,
        user_status: { [ken.user_id]: { status_text: '外出', scheduled_end_time: 1_800_000_000 } },
        unread_msgs: {
          count: 0,
          streams: [...unread].map(([stream_id, stored]) => ({
            stream_id,
            topic: 'stream events',
            unread_message_ids: stored.map(({ message }) => message.id),
          })),
          pms: unreadDirects()
            .filter(({ ids }) => ids.split(',').length === 2)
            .map(({ ids, unread_message_ids }) => {
              const other = Number(ids.split(',').find((id) => Number(id) !== ai.user_id));
              return { other_user_id: other, sender_id: other, unread_message_ids };
            }),
          huddles: unreadDirects()
            .filter(({ ids }) => ids.split(',').length > 2)
            .map(({ ids, unread_message_ids }) => ({ user_ids_string: ids, unread_message_ids })),
          mentions: [],
          old_unreads_missing: false,
        },
      };
    }),
    route(endpoints.deleteQueue, ({ queue_id }) => {
      queues.delete(queue_id);
      wakePolls();
      return {};
    }),
    route(endpoints.getSubscriptions, () => ({ subscriptions: [...streams.values()] })),
    route(endpoints.getStreams, () => ({ streams: [...streams.values(), open] })),
    route(endpoints.subscribe, ({ subscriptions, principals = [] }) => {
      const name = subscriptions[0]?.name ?? '';
      if (name === closed.name) return { subscribed: {}, already_subscribed: {}, unauthorized: [name] };
      const names = Object.fromEntries(principals.map((userId) => [userId, [name]]));
      if (streams.values().some((each) => each.name === name)) return { subscribed: {}, already_subscribed: names };
      const made = { ...stream(nextStream, name), subscribers: principals.map(Number) };
      nextStream += 1;
      streams.set(made.stream_id, made);
      happen('subscription', { op: 'add', subscriptions: [made] });
      return { subscribed: names, already_subscribed: {} };
    }),
    route(endpoints.getMessages, ({ anchor = 'newest', num_before, num_after, include_anchor, narrow }) => {
      const at = anchor === 'newest' ? Infinity : Number(anchor);
      const found = messages.filter(inNarrow(narrow));
      const older = found.filter(({ message }) => message.id < at);
      const newer = found.filter(({ message }) => message.id > at);
      const anchored = include_anchor ? found.filter(({ message }) => message.id === at) : [];
      const page = [...(num_before === 0 ? [] : older.slice(-num_before)), ...anchored, ...newer.slice(0, num_after)];
      return {
        anchor: endpoints.newestAnchor,
        found_anchor: anchored.length > 0,
        found_oldest: older.length < num_before,
        found_newest: anchor === 'newest' || newer.length < num_after,
        messages: page.map(({ message, read }) => ({ ...message, flags: read ? ['read'] : [] })),
      };
    }),
    route(endpoints.sendMessage, ({ type, to, content, queue_id, local_id, topic, client_message_id }) => {
      const known = clientIds.get(client_message_id ?? '');
      if (known !== undefined) return { id: known };
      if (type === 'direct') {
        const local = { queueId: queue_id, localId: local_id };
        const direct = sayTo(signedInMember(), to.split(/\D+/).filter(Boolean).map(Number), content.trimEnd(), local);
        if (client_message_id !== undefined) clientIds.set(client_message_id, direct);
        return { id: direct };
      }
      const stream = streams.values().find(({ name, stream_id }) => name === to || String(stream_id) === to);
      if (!stream) throw refusal(400, 'STREAM_DOES_NOT_EXIST', `Stream '${to}' does not exist`);
      const id = say(signedInMember(), stream.stream_id, content.trimEnd(), {
        local: { queueId: queue_id, localId: local_id },
        ...(topic === undefined ? {} : { topic }),
      });
      if (client_message_id !== undefined) clientIds.set(client_message_id, id);
      return { id };
    }),
    // Tests publish the event themselves.
    route(endpoints.updateSubscriptionProperties, () => ({})),
    route(endpoints.updateStream, () => ({})),
    route(endpoints.countReadReceipts, ({ messages: ids }) => ({
      read_counts: ids.map((message_id) => ({ message_id, count: readers.get(message_id)?.length ?? 0 })),
    })),
    route(endpoints.updateSettings, (change) => {
      for (const [property, value] of Object.entries(change)) {
        if (value !== undefined) happen('user_settings', { op: 'update', property, value });
      }
      return {};
    }),
    route(endpoints.updatePresence, () => ({
      presences: Object.fromEntries(present),
      server_timestamp: 0,
      presence_last_update_id: present.size,
    })),
    route(endpoints.updateStatus, ({ scheduled_end_time, ...said }) => {
      happen('user_status', { user_id: signedInMember(), ...said, scheduled_end_time });
      return {};
    }),
    route(endpoints.getMessage, ({ message_id }) => {
      const { message } = messages.find((stored) => stored.message.id === message_id) ?? {};
      if (!message || message.deleted) throw refusal(400, 'BAD_REQUEST', 'Invalid message(s)');
      return { message: { ...message, flags: [] }, raw_content: message.content };
    }),
    route(endpoints.setTypingStatus, () => ({})),
    route(endpoints.updateRealm, ({ enable_read_receipts, read_receipts }) => {
      const data = { enable_read_receipts, read_receipts };
      happen('realm', { op: 'update_dict', property: 'default', data });
      return {};
    }),
    route(endpoints.editMessage, ({ message_id, content = '' }) => {
      edit(message_id, content);
      return {};
    }),
    route(endpoints.deleteMessage, ({ message_id }) => {
      change(message_id, { content: '', deleted: true });
      happen('delete_message', { message_type: 'stream', message_ids: [message_id] });
      return {};
    }),
    route(endpoints.getMessageHistory, ({ message_id }) => {
      const content = messages.find(({ message }) => message.id === message_id)?.message.content ?? '';
      const entry = { user_id: 1, topic: 'stream events', rendered_content: '' };
      return {
        message_history: [
          { ...entry, timestamp: 1, content: '最初' },
          { ...entry, timestamp: 2, content: '最初', prev_topic: '別の話題' },
          { ...entry, timestamp: 3, content, prev_content: '最初' },
        ],
      };
    }),
    route(endpoints.addReaction, ({ message_id, emoji_name, emoji_code = '', reaction_type = 'unicode_emoji' }) => {
      react('add', message_id, { emoji_name, emoji_code, reaction_type, user_id: signedInMember() });
      return {};
    }),
    route(endpoints.removeReaction, ({ message_id, emoji_name = '', emoji_code = '', reaction_type }) => {
      react('remove', message_id, { emoji_name, emoji_code, reaction_type, user_id: signedInMember() });
      return {};
    }),
    route(endpoints.updateMessageFlags, ({ messages: ids, op, flag }) => {
      if (flag === 'read') mark(ids, op === 'add');
      if (flag === 'starred') ids.forEach((id) => (op === 'add' ? starred.add(id) : starred.delete(id)));
      happen('update_message_flags', { op, flag, messages: ids, all: false });
      return { messages: ids };
    }),
  ];

  function change(id: number, changes: Partial<Message>): void {
    const stored = messages.find(({ message }) => message.id === id);
    if (stored) messages[messages.indexOf(stored)] = { ...stored, message: { ...stored.message, ...changes } };
  }

  /** `untold`: without an event. */
  function edit(id: number, content: string, told: 'told' | 'untold' = 'told'): void {
    change(id, { content });
    const flags = starred.has(id) ? ['starred'] : [];
    if (told === 'told') happen('update_message', { message_id: id, message_ids: [id], flags, edit_timestamp: 1, content });
  }

  function react(op: 'add' | 'remove', id: number, reaction: Message['reactions'][number]): void {
    const { reactions = [] } = messages.find(({ message }) => message.id === id)?.message ?? {};
    const others = reactions.filter((each) => each.user_id !== reaction.user_id || each.emoji_code !== reaction.emoji_code);
    const isThere = others.length < reactions.length;
    if (op === 'add' && isThere) throw refusal(400, 'REACTION_ALREADY_EXISTS', 'Reaction already exists.');
    if (op === 'remove' && !isThere) throw refusal(400, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
    change(id, { reactions: op === 'add' ? [...reactions, reaction] : others });
    happen('reaction', { op, message_id: id, ...reaction });
  }

  function mark(ids: readonly number[], read: boolean): void {
    for (const stored of messages) if (ids.includes(stored.message.id)) stored.read = read;
  }

  async function poll(parameters: URLSearchParams, signal: AbortSignal): Promise<unknown> {
    const asked = decodeParameters(endpoints.getEvents, (name) => parameters.get(name) ?? undefined);
    const { queue_id, last_event_id, dont_block } = asked;
    for (;;) {
      signal.throwIfAborted();
      signedInMember();
      if (!queues.has(queue_id)) throw refusal(400, 'BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queue_id}`);
      const events = log.slice(last_event_id).map(({ id, type, fields, local }) => {
        const mine = local?.localId !== undefined && local.queueId === queue_id;
        return { id, type, ...fields, ...(mine ? { local_message_id: local.localId } : {}) };
      });
      if (events.length > 0 || dont_block) return { events };
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      signal.addEventListener('abort', () => resolve());
      await promise;
      waiting.delete(resolve);
    }
  }

  async function released(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      held.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });
    signal.throwIfAborted();
  }

  function act(name: string, parameters: URLSearchParams, form: FormData | undefined, signal: AbortSignal): unknown {
    if (name === `GET ${paths.departmentTree}`) return { data: { data: { data: departments } } };
    if (name === `POST ${paths.upload}`) {
      const file = form?.get('file');
      if (file instanceof File) uploads.set(String(form?.get('dstFileName')), file);
      return { result: 'success', msg: '' };
    }
    if (name === `GET ${paths.people}`) return { people: directory, next: null };
    if (name === `GET ${paths.profile}`) return profile;
    if (name === `POST ${paths.profile}` && form) {
      profileForms.push(form);
      const [fullName, email, location] = ['name', 'email', 'location'].map((field) => String(form.get(field)));
      profile = { ...profile, name: fullName ?? '', email: email ?? '', location: location ?? '' };
      return profile;
    }
    if (name === 'GET /events') return poll(parameters, signal);
    const [, receiptOf] = /^GET \/messages\/(\d+)\/read_receipts$/.exec(name) ?? [];
    if (receiptOf !== undefined) return { user_ids: readers.get(Number(receiptOf)) ?? [] };
    const [, messageId] = /^[A-Z]+ \/messages\/(\d+)/.exec(name) ?? [];
    const parts = messageId === undefined ? {} : { message_id: Number(messageId) };
    const pattern = name.replace(/(?<=\/messages\/)\d+/, '{message_id}');
    const found = routes.find((each) => each.name === pattern);
    if (!found) return new Response('<h1>Not Found</h1>', { status: 404 });
    return found.answer((parameter) => parameters.get(parameter) ?? undefined, parts);
  }

  const serverFetch: Fetch = async (input, init = {}) => {
    const { pathname, searchParams } = new URL(String(input));
    const name = `${init.method ?? 'GET'} ${pathname.replace('/api/v1', '')}`;
    const { body } = init;
    const parameters = body instanceof URLSearchParams ? body : searchParams;
    const signal = init.signal ?? new AbortController().signal;
    calls.push({ name, parameters: Object.fromEntries(parameters), keepalive: init.keepalive ?? false });

    const fault = faults.get(name)?.shift();
    if (fault === 'hold') await released(signal);
    if (fault === 'cut') throw new TypeError('fetch failed');
    if (fault instanceof Response) return fault;
    const asMember = new Headers(init.headers).get(memberHeader);
    const answer = await answerTo(() => {
      if (asMember !== String(signedInMember())) throw refusal(401, 'UNAUTHORIZED', 'The session is of somebody else');
      return act(name, parameters, body instanceof FormData ? body : undefined, signal);
    });
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (fault === 'late') await released(signal);
    return answer;
  };

  return {
    fetch: serverFetch,
    calls,
    uploads,
    readers,
    /** Submitted profile forms. */
    profileForms,
    present,
    /** Faults of the next requests with this name, in order. */
    fail(name: string, ...next: readonly Fault[]): void {
      faults.set(name, [...(faults.get(name) ?? []), ...next]);
    },
    /** Continues held requests. */
    release(): void {
      held.forEach((letGo) => letGo());
      held = [];
    },
    /** Calls with this name. */
    called: (name: string): readonly Call[] => calls.filter((call) => call.name === name),
    say,
    sayTo,
    edit,
    /** Changes by another member or another device. */
    react,
    /** Marks messages on another device of the member. */
    mark(ids: readonly number[], read: boolean): void {
      mark(ids, read);
      happen('update_message_flags', { op: read ? 'add' : 'remove', flag: 'read', messages: ids, all: false });
    },
    happen,
    /** Replaces the departments; the event concerns these users. */
    reorganise(tree: readonly DepartmentNode[], userIds: readonly number[]): void {
      departments = tree;
      happen('directory', { user_ids: userIds });
    },
    /** Deactivates a user. */
    depart({ user_id, full_name }: User): void {
      departed.add(user_id);
      happen('realm_user', { op: 'remove', person: { user_id, full_name } });
    },
    /** Removes all queues, as a restart without events does. */
    loseQueues(): void {
      queues.clear();
      wakePolls();
    },
    queues,
    /** The number of waiting polls. */
    polling: (): number => waiting.size,
    /** The user of the session; undefined after it has ended. */
    signInAs(userId: number | undefined): void {
      signedIn = userId;
      wakePolls();
    },
    messages: () => messages.map(({ message }) => message),
  };
}

/** A route with typed parameters. */
function route<E extends Endpoint>(endpoint: E, answer: (parameters: ParametersOut<E>) => AnswerIn<E>) {
  return {
    name: `${endpoint.method} ${endpoint.path}`,
    answer: (arrived: (name: string) => string | undefined, parts: Readonly<Record<string, number>>): unknown =>
      answer(decodeParameters(endpoint, arrived, parts)),
  };
}

class Refusal extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('refused');
    this.response = response;
  }
}

function refusal(status: number, code: string, msg: string): Refusal {
  return new Refusal(errorAnswer(status, code, msg));
}

export function errorAnswer(status: number, code: string, msg: string): Response {
  return Response.json({ result: 'error', code, msg }, { status });
}

async function answerTo(act: () => unknown): Promise<Response> {
  try {
    const answer = await act();
    return answer instanceof Response ? answer : Response.json({ result: 'success', msg: '', ...Object(answer) });
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    if (error instanceof ParameterError) return errorAnswer(400, error.code, error.message);
    throw error;
  }
}

function user(userId: number, email: string, fullName: string): User {
  return {
    user_id: userId,
    email,
    full_name: fullName,
    date_joined: '2026-04-01T00:00:00Z',
    role: 400,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    timezone: '',
    avatar_url: `/avatar/${userId}`,
    avatar_version: 1,
  };
}

function stream(streamId: number, name: string): Subscription {
  return {
    stream_id: streamId,
    name,
    description: `${name}の部屋`,
    rendered_description: '',
    date_created: 1_700_000_000,
    invite_only: true,
    is_web_public: false,
    history_public_to_subscribers: true,
    first_message_id: null,
    color: '#76ce90',
    is_muted: false,
    pin_to_top: false,
    subscribers: [1, 2],
  };
}

export function messageOf(
  id: number,
  sender: User,
  { stream_id, name }: Pick<Subscription, 'stream_id' | 'name'>,
  content: string,
  subject = 'stream events',
): Message {
  return {
    id,
    type: 'stream',
    sender_id: sender.user_id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_realm_str: '',
    avatar_url: sender.avatar_url ?? null,
    client: 'website',
    timestamp: 1_700_000_000 + id,
    content,
    content_type: 'text/x-markdown',
    is_me_message: false,
    recipient_id: stream_id,
    display_recipient: name,
    stream_id,
    subject,
    topic_links: [],
    reactions: [],
    submessages: [],
  };
}

/** A direct message among these users. */
export function directMessageOf(id: number, sender: User, people: readonly User[], content: string): Message {
  const { stream_id: _, ...message } = messageOf(id, sender, general, content, '');
  const recipients = people.map(({ user_id, email, full_name }) => ({ id: user_id, email, full_name, is_mirror_dummy: false }));
  return { ...message, type: 'private', display_recipient: recipients };
}

const directIdsOf = ({ display_recipient }: Message) =>
  typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id);

const userOf = (userId: number): User => [ai, ken, mai].find(({ user_id }) => user_id === userId) ?? ken;

export function sessionOf(member: User | undefined, extensions: readonly string[]): Session {
  return {
    auth_mode: 'fake',
    member: member ? { user_id: member.user_id, email: member.email, full_name: member.full_name } : null,
    signed_out: false,
    setup_needed: false,
    organisation: '株式会社 縁側',
    mail: false,
    default_member: null,
    candidates: [],
    fake_sign_in_exposed: false,
    max_file_size: 1000,
    extensions: [...extensions],
  };
}
