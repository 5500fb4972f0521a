import {
  type AnswerOut,
  type Endpoint,
  type Parameters,
  createUser,
  fetchApiKey,
  getStreams,
  regenerateApiKey,
  registerQueue,
  roles,
  sendMessage,
} from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import { type CallName, endpointOf } from '../testing/endpoints.ts';
import type { Random } from '../testing/random.ts';

/** Subscribed to `eg.general`; 高橋 is a guest. */
export const speakers = ['tanaka', 'sato', 'suzuki', 'takahashi', 'mori'] as const;
/** The one who signs in again and again, so that nobody else's key ends. */
export const visitor = 'kimura';

const usual = eg.organisation();
const organisation = eg.organisation({
  users: [...usual.users, eg.person('mori', '森 久美', roles.moderator), eg.person(visitor, '木村 健', roles.member)],
  streams: usual.streams.map((stream) =>
    stream.name === eg.general ? { ...stream, subscribers: speakers.map(eg.emailOf) } : stream,
  ),
});

/** Most of each kind that is remembered, so that what requests name was made a short while ago. */
const mostKept = 50;

/** The newest things of one kind. */
class Recent<Value> {
  readonly #values: Value[] = [];

  add(value: Value): void {
    this.#values.push(value);
    if (this.#values.length > mostKept) this.#values.shift();
  }

  pick(random: Random): Value | undefined {
    return this.#values.length === 0 ? undefined : random.pick(this.#values);
  }

  some(random: Random, probability: number): Value[] {
    return random.some(this.#values, probability);
  }
}

interface Made {
  readonly id: number;
  readonly by: string;
}

/** What generated requests know of their server: who there is, and what earlier requests have made. */
export class Scene {
  readonly server: eg.Server;
  readonly random: Random;
  readonly messages = new Recent<Made>();
  readonly reactions = new Recent<Made & { readonly emoji: string }>();
  readonly queues = new Recent<{ readonly id: string; readonly by: string; readonly cursor: number }>();
  /** Streams and users that nobody misses. */
  readonly rooms = new Recent<{ readonly id: number; readonly name: string }>();
  readonly spareUsers = new Recent<Pick<Made, 'id'>>();
  readonly #keys = new Map<string, string>();
  #numbers = 0;

  private constructor(server: eg.Server, random: Random) {
    this.server = server;
    this.random = random;
  }

  static async begin(random: Random): Promise<Scene> {
    return new Scene(await eg.server({ organisation }), random);
  }

  key(name: string): string {
    return this.#keys.get(eg.emailOf(name)) ?? this.server.key(name);
  }

  /** A number that was not there before, for names. */
  next(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Checks the form of an answer and remembers what it tells of. */
  learn(name: CallName, by: string, answer: unknown): void {
    (lessons[name] ?? formOf(name))(this, by, answer);
  }

  learnKey(email: string, key: string): void {
    this.#keys.set(email, key);
  }
}

type Lesson = (scene: Scene, by: string, answer: unknown) => void;

function lesson<P extends Parameters, Answer extends Endpoint['answer']>(
  endpoint: Endpoint<P, Answer>,
  learn: (scene: Scene, by: string, answer: AnswerOut<Endpoint<P, Answer>>) => void,
): Lesson {
  return (scene, by, answer) => learn(scene, by, endpoint.answer.parse(answer));
}

function formOf(name: CallName): Lesson {
  const { answer: form } = endpointOf(name);
  return (_, __, answer) => void form.parse(answer);
}

const lessons: { readonly [Name in CallName]?: Lesson } = {
  fetchApiKey: lesson(fetchApiKey, (scene, _, { email, api_key }) => scene.learnKey(email, api_key)),
  regenerateApiKey: lesson(regenerateApiKey, (scene, by, { api_key }) => scene.learnKey(eg.emailOf(by), api_key)),
  sendMessage: lesson(sendMessage, (scene, by, { id }) => scene.messages.add({ id, by })),
  registerQueue: lesson(registerQueue, (scene, by, { queue_id, last_event_id }) =>
    scene.queues.add({ id: queue_id, by, cursor: last_event_id }),
  ),
  getStreams: lesson(getStreams, (scene, _, { streams }) => {
    const missed = new Set(organisation.streams.map(({ name }) => name));
    const [newest] = streams.filter(({ name }) => !missed.has(name)).toSorted((one, other) => other.stream_id - one.stream_id);
    if (newest) scene.rooms.add({ id: newest.stream_id, name: newest.name });
  }),
  createUser: lesson(createUser, (scene, _, { user_id }) => {
    if (user_id !== undefined) scene.spareUsers.add({ id: user_id });
  }),
};
