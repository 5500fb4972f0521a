import type { ChatServer } from '@engawa/chat-server';
import { givenBody, noBody } from '@engawa/chat-server/parts';
import { narrow as narrowSchema, queueLifespanSeconds, roles } from '@engawa/protocol';
import { owner } from '../../demo/people.ts';
import { parseJson } from '../../parseJson.ts';
import {
  type Viewer,
  answerKeys,
  asZulip,
  clientPrefix,
  errorAsZulip,
  pictureOf,
  registerKeys,
  serverSettingsKeys,
  version,
} from './answers.ts';
import { eventsAsZulip } from './events.ts';
import { type Fields, fieldsOf, isFields, listOf, pick } from './fields.ts';
import { type Member, type Members, newKey } from './members.ts';
import { avatarPath, host, shownAddress } from './organisation.ts';
import type { Queues, Source } from './queues.ts';
import { PageNotFound, Refusal, mustBeAdministrator } from './refusal.ts';
import { absentCalls, ignoredParameters, isAdministrator, refusals } from './refusals.ts';
import { searchAnswer, searcher } from './search.ts';
import type { Uploads } from './uploads.ts';

export interface Call {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly file: File | undefined;
  readonly authorization: string | undefined;
  /** The name of the program: its `client`, or the beginning of its User-Agent. */
  readonly client: string;
  readonly signal: AbortSignal;
}

export interface CallDependencies {
  readonly chat: ChatServer;
  readonly members: Members;
  readonly queues: Queues;
  readonly uploads: Uploads;
  readonly url: () => string;
  /** Counts a member's call. @throws Refusal */
  readonly count: (member: Member) => void;
}

/** The users that may delete their messages: only administrators, or all members. */
const policies = { administrators: 2, members: 1 } as const;

/** A call that the chat server inside does not have. */
const subscribersPath = /^\/streams\/(\d+)\/members$/;
/** More than the organisation has members. */
const mostSubscribers = 10_000;

type Parameters = Readonly<Record<string, string>>;
type Handler = (call: Call, member: Member, parameters: Parameters) => Promise<Fields> | Fields;

/** The programs whose messages are stored as read by their sender. */
const knownClients = `zulipandroid zulipios zulipdesktop zulipmobile zulipelectron zulipterminal snipe website ios android`;
const isKnownClient = (client: string): boolean =>
  knownClients.split(' ').includes(client.toLowerCase()) || client.toLowerCase().includes('desktop app');

/** Answers the calls of the chat API from the chat server inside, as a real server at level 218 answers them. */
export class Calls {
  readonly #dependencies: CallDependencies;
  #deletePolicy: number = policies.administrators;

  constructor(dependencies: CallDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Refusal, PageNotFound */
  async answer(call: Call): Promise<Fields> {
    const { members, count } = this.#dependencies;
    await this.#checkPath(call);
    if (call.path === '/server_settings') return this.#serverSettings(call);
    if (call.path === '/fetch_api_key') return this.#fetchApiKey(call);

    const member = members.of(call.authorization);
    count(member);
    const ignored = ignoredParameters.filter((name) => call.parameters.has(name));
    const parameters = Object.fromEntries([...call.parameters].filter(([name]) => !ignoredParameters.includes(name)));
    const key = keyOf(call);
    refusals[key]?.({
      parameters: new Map(Object.entries(parameters)),
      isAdministrator: this.#isAdministrator(member),
      self: [member.id, shownAddress(member.id)],
    });
    const handler: Handler = this.#own[key] ?? this.#forward;
    const { ignored_parameters_unsupported: others, ...fields } = await handler(call, member, parameters);
    const all = [...ignored, ...listOf(others)];
    return { result: 'success', msg: '', ...fields, ...(all.length > 0 ? { ignored_parameters_unsupported: all } : {}) };
  }

  /** Whether a member gets an upload: they uploaded it, or one of the newest messages that they can read names it. */
  async mayRead(member: Member, path: string): Promise<boolean> {
    if (this.#dependencies.uploads.of(path).uploaderId === member.id) return true;
    const newest = { anchor: 'newest', num_before: '1000', num_after: '0', apply_markdown: 'false' };
    const { messages } = await this.#ask({ method: 'GET', path: '/messages' }, member, newest);
    return listOf(messages).some((message) => isFields(message) && String(message['content']).includes(path));
  }

  async #checkPath({ method, path }: Call): Promise<void> {
    if (path.startsWith('/user_uploads') || path === '/users/me/avatar' || subscribersPath.test(path)) return;
    if (absentCalls.some((absent) => absent.test(`${method} ${path}`)) || path.endsWith('/')) throw new PageNotFound(path);
    const { status, allow = '' } = await this.#options(path);
    if (status === 404) throw new PageNotFound(path);
    const allowed = path === '/realm/filters' ? ['POST'] : allow.split(', ');
    if (allowed.includes(method === 'HEAD' ? 'GET' : method) && method !== 'OPTIONS') return;
    throw new Refusal('Method Not Allowed', {
      status: 405,
      code: undefined,
      allowed_methods: allowed,
      headers: { allow: allowed.join(', '), 'content-type': 'text/html; charset=utf-8' },
    });
  }

  async #options(path: string) {
    const request = {
      method: 'OPTIONS',
      url: `/api/v1${path}`,
      headers: {},
      body: noBody,
      address: undefined,
    };
    const { status, headers } = await this.#dependencies.chat.fetch({ ...request, signal: new AbortController().signal });
    return { status, allow: headers['Allow'] };
  }

  /** Calls the chat server inside. @throws Refusal as a real server words it. */
  async #ask(
    { method, path, client, signal }: Pick<Call, 'method' | 'path'> & Partial<Call>,
    member: Member | undefined,
    parameters: Parameters = {},
  ): Promise<Fields> {
    const values = String(
      new URLSearchParams({ ...parameters, ...(client === undefined ? {} : { client: clientPrefix + client }) }),
    );
    const isInQuery = method === 'GET' || method === 'DELETE';
    const { status, body } = await this.#dependencies.chat.fetch({
      method,
      url: `/api/v1${path}${isInQuery ? `?${values}` : ''}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(member ? { authorization: member.authorization } : {}),
      },
      body: givenBody(Buffer.from(isInQuery ? '' : values)),
      address: undefined,
      signal: signal ?? new AbortController().signal,
    });
    const answer = fieldsOf(new TextDecoder().decode(body));
    if (status === 200) return answer;
    const { msg, code, result: _, ...rest } = errorAsZulip(answer);
    throw new Refusal(String(msg), { status: status === 404 ? 400 : status, code, ...rest });
  }

  readonly #forward: Handler = async (call, member, parameters) => {
    const answer = await this.#ask(call, member, parameters);
    const translated = asZulip(pick(answer, answerKeys), viewerOf(member, parameters));
    const fields = isFields(translated) ? translated : {};
    const byAddress = (name: string) => (isFields(fields[name]) ? { [name]: keyedByAddress(fields[name]) } : {});
    return {
      ...fields,
      ...byAddress('subscribed'),
      ...byAddress('already_subscribed'),
      ignored_parameters_unsupported: answer['ignored_parameters_unsupported'],
    };
  };

  async #serverSettings(call: Call): Promise<Fields> {
    return { ...pick(await this.#ask(call, undefined), serverSettingsKeys), ...version, realm_uri: this.#dependencies.url() };
  }

  async #fetchApiKey(call: Call): Promise<Fields> {
    const username = call.parameters.get('username') ?? '';
    if (!username.includes('@')) throw new Refusal('Enter a valid email address.');
    const member = this.#dependencies.members.byAddress(username);
    const shown = member ? shownAddress(member.id) : `nobody@${host}`;
    await this.#ask(call, undefined, { ...Object.fromEntries(call.parameters), username: shown });
    if (!member) throw new TypeError('the chat server inside signs in somebody unknown');
    return { result: 'success', msg: '', api_key: member.key, email: member.address, user_id: member.id };
  }

  /** The calls that are more than a call of the chat server inside. */
  readonly #own: Readonly<Record<string, Handler>> = {
    'POST /register': (call, member, parameters) => this.#register(call, member, parameters),
    'GET /events': async ({ signal }, member, { queue_id = '', last_event_id = '-1', dont_block = 'false' }) => ({
      events: await this.#dependencies.queues.poll(member, queue_id, Number(last_event_id), dont_block !== 'true', signal),
      queue_id,
    }),
    'DELETE /events': (_, member, { queue_id = '' }) => {
      this.#dependencies.queues.delete(member, queue_id);
      return {};
    },

    'GET /streams/{id}/members': async ({ path }, member) => {
      const id = Number(subscribersPath.exec(path)?.[1]);
      await this.#ask({ method: 'GET', path: `/streams/${id}` }, member);
      return { subscribers: this.#dependencies.chat.calls.members(id, mostSubscribers) };
    },

    'GET /users/me': async (call, member, parameters) => {
      const user = await this.#forward(call, member, parameters);
      return { ...user, avatar_url: ownPicture(user), profile_data: {} };
    },

    'GET /messages': (call, member, parameters) => this.#messages(call, member, parameters),
    'POST /messages': (call, member, parameters) =>
      this.#forward(call, member, { ...parameters, read_by_sender: String(isKnownClient(call.client)) }),
    'DELETE /messages/{id}': async (call, member, parameters) => {
      if (!this.#isAdministrator(member) && this.#deletePolicy === policies.administrators) {
        await this.#ask({ method: 'GET', path: call.path }, member);
        throw new Refusal("You don't have permission to delete this message");
      }
      return this.#forward(call, member, parameters);
    },

    'POST /users/me/subscriptions': (call, member, parameters) => this.#subscribe(call, member, parameters),
    'POST /users': (call, member, parameters) => this.#createUser(call, member, parameters),
    // A new address of sign-in counts only after a mail is answered.
    'PATCH /settings': (call, member, parameters) =>
      this.#forward(call, member, Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'email'))),
    'POST /users/me/api_key/regenerate': (_, member) => {
      member.key = newKey();
      return { api_key: member.key };
    },
    'PATCH /realm': (_, member, parameters) => this.#changeRealm(member, parameters),

    'POST /users/me/avatar': async (_, member) => {
      await this.#dependencies.chat.setAvatar(member.id, avatarPath(member.id));
      return { avatar_url: avatarPath(member.id) };
    },
    'DELETE /users/me/avatar': async (_, member) => {
      await this.#dependencies.chat.setAvatar(member.id, null);
      return { avatar_url: pictureOf(null, shownAddress(member.id), { clientGravatar: false }) };
    },
    'POST /user_uploads': async ({ file }, { id: uploaderId }) => {
      if (!file) throw new Refusal('You must specify a file to upload');
      const content = Buffer.from(await file.arrayBuffer());
      return { uri: this.#dependencies.uploads.add(file.name, { uploaderId, content, type: file.type }) };
    },
  };

  async #register(call: Call, member: Member, parameters: Parameters): Promise<Fields> {
    const { client_capabilities, queue_lifespan_secs = '600', ...others } = parameters;
    const capabilities = parseJson(client_capabilities ?? '{}');
    const answer = await this.#ask(call, member, {
      ...others,
      ...(isFields(capabilities)
        ? { client_capabilities: JSON.stringify({ ...capabilities, simplified_presence_events: false }) }
        : {}),
      queue_lifespan_secs: String(queueLifespanSeconds.most),
    });
    const viewer = viewerOf(member, parameters);
    const source = this.#sourceOf(member, viewer, String(answer['queue_id']));
    const queueId = this.#dependencies.queues.register(
      member,
      Number(answer['last_event_id']),
      source,
      Number(queue_lifespan_secs),
    );
    const state = asZulip(pick(answer, registerKeys), viewer);
    const ofRealm = {
      realm_uri: this.#dependencies.url(),
      realm_default_language: 'en',
      realm_mandatory_topics: false,
      realm_delete_own_message_policy: this.#deletePolicy,
      max_file_upload_size_mib: 25,
    };
    return {
      ...(isFields(state) ? state : {}),
      ...version,
      ...('realm_name' in answer ? ofRealm : {}),
      ...('full_name' in answer ? { delivery_email: member.address, avatar_url: ownPicture(answer) } : {}),
      queue_id: queueId,
      last_event_id: -1,
    };
  }

  #sourceOf(member: Member, viewer: Viewer, queue_id: string): Source {
    return {
      read: async (cursor, wait, signal) => {
        const parameters = { queue_id, last_event_id: String(cursor), dont_block: String(!wait) };
        const asked = this.#ask({ method: 'GET', path: '/events', signal }, member, parameters);
        const { events } = await asked.catch((error: unknown) => {
          // A busy server refuses a poll that is aborted before its turn.
          if (signal.aborted && error instanceof Refusal) return { events: [] };
          throw error;
        });
        return listOf(events).filter(isFields);
      },
      translate: (event) =>
        eventsAsZulip(event, {
          viewer,
          user: async (id) => {
            const { user } = await this.#ask({ method: 'GET', path: `/users/${id}` }, member);
            return isFields(user) ? user : {};
          },
        }),
    };
  }

  /** A search is made here, because the chat server inside finds more: it examines 2,500 messages on each side of the anchor. */
  async #messages(call: Call, member: Member, parameters: Parameters): Promise<Fields> {
    const terms = narrowSchema.safeParse(parseJson(parameters['narrow'] ?? '[]')).data ?? [];
    const operands = terms.filter(({ operator }) => operator === 'search').map(({ operand }) => String(operand));
    if (operands.length === 0) return this.#forward(call, member, parameters);
    const others = JSON.stringify(terms.filter(({ operator }) => operator !== 'search'));
    const wide = { num_before: '2500', num_after: '2500', include_anchor: 'true', narrow: others };
    const answer = await this.#forward(call, member, { ...parameters, ...wide });
    return searchAnswer(answer, listOf(answer['messages']).filter(isFields), searcher(operands.join(' ')), {
      before: Number(parameters['num_before']),
      after: Number(parameters['num_after']),
      includesAnchor: parameters['include_anchor'] !== 'false',
    });
  }

  /** Adds a member of the chat server inside. At a Zulip, English is everybody's language until they choose another one. */
  async addMember(id: number, address: string): Promise<Member> {
    const member = await this.#dependencies.members.add(id, address);
    await this.#ask({ method: 'PATCH', path: '/settings' }, member, { default_language: 'en' });
    return member;
  }

  /** New streams are public unless the call says otherwise, and private ones do not share their history. */
  async #subscribe(call: Call, member: Member, parameters: Parameters): Promise<Fields> {
    const { members, chat } = this.#dependencies;
    const isPrivate = parameters['invite_only'] === 'true';
    const all = { history_public_to_subscribers: String(!isPrivate), ...parameters };
    const names = listOf(parseJson(parameters['subscriptions'] ?? '')).map((each) => isFields(each) && String(each['name']));
    const known = new Set(chat.allStreams().map(({ name }) => name));
    const areNew = names.every((name) => name !== false && !known.has(name));
    // The chat server inside lets only administrators create public streams.
    const creator = members.byAddress(owner);
    const isGuest = chat.accounts.of(member.id)?.role === roles.guest;
    if (isPrivate || !areNew || isGuest || !creator) return this.#forward(call, member, all);
    return this.#forward(call, creator, { principals: JSON.stringify([member.id]), ...all, invite_only: 'false' });
  }

  async #createUser(call: Call, member: Member, { email = '', ...parameters }: Parameters): Promise<Fields> {
    const { members } = this.#dependencies;
    if (this.#isAdministrator(member) && members.byAddress(email)) throw new Refusal(`Email '${email}' already in use`);
    const made = await this.#ask(call, member, { ...parameters, email: `new.member@${host}` });
    const id = Number(made['user_id']);
    const first = await this.addMember(id, email);
    await this.#ask({ method: 'PATCH', path: '/settings' }, first, { email: shownAddress(id) });
    // The chat server inside expects the new address with the key.
    await members.add(id, email);
    return { user_id: id };
  }

  async #changeRealm(member: Member, parameters: Parameters): Promise<Fields> {
    const { chat, queues } = this.#dependencies;
    if (!this.#isAdministrator(member)) throw mustBeAdministrator();
    const changed: Record<string, unknown> = {};
    const { delete_own_message_policy: policy, enable_read_receipts: receipts } = parameters;
    if (policy !== undefined) {
      this.#deletePolicy = Number(policy);
      changed['delete_own_message_policy'] = this.#deletePolicy;
      queues.say({ type: 'realm', op: 'update', property: 'delete_own_message_policy', value: this.#deletePolicy });
    }
    if (receipts !== undefined) {
      await this.#ask({ method: 'PATCH', path: '/realm' }, member, { enable_read_receipts: receipts });
      changed['enable_read_receipts'] = parseJson(receipts);
    }
    for (const [name, limit] of Object.entries(realmLimits)) {
      const value = parseJson(parameters[name] ?? '');
      if (value === undefined) continue;
      const seconds = typeof value === 'number' ? value : null;
      changed[name] = seconds;
      await chat.changeRealmSettings((now) => ({ ...now, editLimits: { ...now.editLimits, [limit]: seconds } }), member.id);
    }
    const known = ['delete_own_message_policy', 'enable_read_receipts', ...Object.keys(realmLimits)];
    return { ...changed, ignored_parameters_unsupported: Object.keys(parameters).filter((name) => !known.includes(name)) };
  }

  #isAdministrator(member: Member): boolean {
    return isAdministrator(this.#dependencies.chat.accounts.of(member.id)?.role);
  }
}

const realmLimits = {
  message_content_edit_limit_seconds: 'content',
  message_content_delete_limit_seconds: 'deletion',
  move_messages_within_stream_limit_seconds: 'topic',
} as const;

/** A member's own picture is always answered. */
const ownPicture = ({ avatar_url, email }: Fields) => pictureOf(avatar_url, email, { clientGravatar: false });

const keyOf = ({ method, path }: Call): string => `${method} ${path.replaceAll(/(?<=\/)\d+(?=\/|$)/g, '{id}')}`;

const viewerOf = ({ id, address }: Member, { client_gravatar = 'true' }: Parameters): Viewer => ({
  id,
  address,
  clientGravatar: client_gravatar !== 'false',
});

/** Below level 289 the answer names users by address. */
const keyedByAddress = (streams: Fields): Fields =>
  Object.fromEntries(
    Object.entries(streams).map(([user, names]) => [/^\d+$/.test(user) ? shownAddress(Number(user)) : user, names]),
  );
