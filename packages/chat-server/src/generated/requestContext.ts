import * as api from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import { type CallName, endpointOf } from '../testing/endpoints.ts';
import type { Random } from '../testing/random.ts';

/** The subscribers of `eg.general`. takahashi is a guest. */
export const subscribers = ['tanaka', 'sato', 'suzuki', 'takahashi', 'mori'] as const;
/** The only member who signs in during the test. Each sign-in revokes their oldest key, so others keep theirs. */
export const signInUser = 'kimura';

/** A member who deactivates themselves once, and is refused afterwards. */
export const leaver = 'ogawa';

const usual = eg.organisation();
const organisation = eg.organisation({
  users: [
    ...usual.users,
    eg.person('mori', '森 久美', api.roles.moderator),
    eg.person(signInUser, '木村 健', api.roles.member),
    eg.person(leaver, '小川 直', api.roles.member),
  ],
  streams: usual.streams.map((stream) =>
    stream.name === eg.general ? { ...stream, subscribers: subscribers.map(eg.emailOf) } : stream,
  ),
});

/** Old entries are dropped, so that requests refer to recent objects. */
const maxRemembered = 50;

class Recent<Value> {
  readonly #values: Value[] = [];

  add(value: Value): void {
    this.#values.push(value);
    if (this.#values.length > maxRemembered) this.#values.shift();
  }

  pick(random: Random): Value | undefined {
    return this.#values.length === 0 ? undefined : random.pick(this.#values);
  }

  some(random: Random, probability: number): Value[] {
    return random.some(this.#values, probability);
  }
}

interface CreatedObject {
  readonly id: number;
  readonly by: string;
}

/** The server and the objects that earlier requests created. */
export class RequestContext {
  readonly server: eg.Server;
  readonly random: Random;
  readonly messages = new Recent<CreatedObject>();
  readonly drafts = new Recent<CreatedObject>();
  readonly bots = new Recent<CreatedObject>();
  readonly scheduled = new Recent<CreatedObject>();
  readonly reactions = new Recent<CreatedObject & { readonly emoji: string }>();
  readonly queues = new Recent<{ readonly id: string; readonly by: string; readonly cursor: number }>();
  /** Streams and users that requests may delete, because the test does not need them. */
  readonly spareStreams = new Recent<{ readonly id: number; readonly name: string }>();
  readonly spareUsers = new Recent<Pick<CreatedObject, 'id'>>();
  readonly userGroups = new Recent<{ readonly id: number }>();
  linkifierIds: number[] = [];
  fieldIds: number[] = [];
  readonly #keys = new Map<string, string>();
  #numbers = 0;

  private constructor(server: eg.Server, random: Random) {
    this.server = server;
    this.random = random;
  }

  static async begin(random: Random): Promise<RequestContext> {
    return new RequestContext(await eg.server({ organisation }), random);
  }

  key(name: string): string {
    return this.#keys.get(eg.emailOf(name)) ?? this.server.key(name);
  }

  /** A new number for a unique name. */
  next(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Checks the schema of an answer and remembers the created objects. */
  remember(name: CallName, by: string, answer: unknown): void {
    (handlers[name] ?? schemaHandler(name))(this, by, answer);
  }

  rememberKey(email: string, key: string): void {
    this.#keys.set(email, key);
  }
}

type AnswerHandler = (context: RequestContext, by: string, answer: unknown) => void;

function handler<P extends api.Parameters, Answer extends api.Endpoint['answer']>(
  endpoint: api.Endpoint<P, Answer>,
  remember: (context: RequestContext, by: string, answer: api.AnswerOut<api.Endpoint<P, Answer>>) => void,
): AnswerHandler {
  return (context, by, answer) => remember(context, by, endpoint.answer.parse(answer));
}

function schemaHandler(name: CallName): AnswerHandler {
  const { answer: form } = endpointOf(name);
  return (_, __, answer) => void form.parse(answer);
}

const handlers: { readonly [Name in CallName]?: AnswerHandler } = {
  fetchApiKey: handler(api.fetchApiKey, (context, _, { email, api_key }) => context.rememberKey(email, api_key)),
  regenerateApiKey: handler(api.regenerateApiKey, (context, by, { api_key }) => context.rememberKey(eg.emailOf(by), api_key)),
  sendMessage: handler(api.sendMessage, (context, by, { id }) => context.messages.add({ id, by })),
  createDrafts: handler(api.createDrafts, (context, by, { ids }) => ids.forEach((id) => context.drafts.add({ id, by }))),
  getLinkifiers: handler(api.getLinkifiers, (context, _, { linkifiers }) => {
    context.linkifierIds = linkifiers.map(({ id }) => id);
  }),
  getProfileFields: handler(api.getProfileFields, (context, _, { custom_fields }) => {
    context.fieldIds = custom_fields.map(({ id }) => id);
  }),
  createUserGroup: handler(api.createUserGroup, (context, _, { group_id = 0 }) => context.userGroups.add({ id: group_id })),
  createScheduledMessage: handler(api.createScheduledMessage, (context, by, { scheduled_message_id: id }) =>
    context.scheduled.add({ id, by }),
  ),
  registerQueue: handler(api.registerQueue, (context, by, { queue_id, last_event_id }) =>
    context.queues.add({ id: queue_id, by, cursor: last_event_id }),
  ),
  getStreams: handler(api.getStreams, (context, _, { streams }) => {
    const needed = new Set(organisation.streams.map(({ name }) => name));
    const [newest] = streams.filter(({ name }) => !needed.has(name)).toSorted((one, other) => other.stream_id - one.stream_id);
    if (newest) context.spareStreams.add({ id: newest.stream_id, name: newest.name });
  }),
  createBot: handler(api.createBot, (context, by, { user_id }) => context.bots.add({ id: user_id, by })),
  createUser: handler(api.createUser, (context, _, { user_id }) => {
    if (user_id !== undefined) context.spareUsers.add({ id: user_id });
  }),
};
