import { type Audience, type ServerEvent, registerQueue, updateSettings, updateStatus } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { type HeldQueue, heldQueue } from '../testing/queue.ts';
import { type Random, seeded } from '../testing/random.ts';

const people = ['tanaka', 'sato', 'suzuki', 'takahashi', 'ito'] as const;
type Name = (typeof people)[number];
const owners = ['tanaka', 'suzuki', 'takahashi'] as const;
/** takahashi is a guest, and shares a stream and the departments with the others. */
const departments = { D1: ['sato', 'takahashi'], D2: ['ito', 'takahashi'] };
const organisation = eg.organisation({ streams: [eg.stream(eg.general, people)] });
const options = { fetch_event_types: ['realm_user', 'user_status'], event_types: ['realm_user', 'user_status'] };

/** The pictures and statuses of others that a member can see, by user id. */
interface Visible {
  readonly pictures: Map<number, string | null>;
  readonly statuses: Map<number, string>;
}

/** A naive model of a member with their audiences. */
interface Owner {
  picture: string | null;
  status: string;
  photo: Audience;
  statusAudience: Audience;
}

const everyone: Audience = { audience: 'everyone', user_ids: [], departments: [] };

function admits({ audience, user_ids, departments: codes }: Audience, name: Name, id: number): boolean {
  if (audience !== 'selected') return audience === 'everyone';
  return (
    user_ids.includes(id) || Object.entries(departments).some(([code, names]) => codes.includes(code) && names.includes(name))
  );
}

async function register(client: eg.Client): Promise<{ visible: Visible; queue: HeldQueue }> {
  const { queue_id, last_event_id, realm_users = [], user_status = {} } = await client.ok(registerQueue, options);
  const pictures = new Map(realm_users.map(({ user_id, avatar_url = null }) => [user_id, avatar_url]));
  const statuses = new Map(Object.entries(user_status).map(([id, { status_text = '' }]) => [Number(id), status_text]));
  return { visible: { pictures, statuses }, queue: heldQueue(client, queue_id, last_event_id) };
}

function apply({ pictures, statuses }: Visible, event: ServerEvent): void {
  if (event.type === 'realm_user' && event.op === 'update' && event.person.avatar_url !== undefined) {
    pictures.set(event.person.user_id, event.person.avatar_url);
  }
  if (event.type === 'user_status') {
    if (event.status_text) statuses.set(event.user_id, event.status_text);
    else statuses.delete(event.user_id);
  }
}

const audience = (random: Random, ids: readonly number[]): Audience => ({
  audience: random.pick(['everyone', 'selected', 'selected', 'nobody'] as const),
  user_ids: random.some(ids, 0.3),
  departments: random.some(Object.keys(departments), 0.3),
});

it.each([1, 2, 3, 4, 5, 6])(
  '[R2.25.3] After random audience changes, a member’s event queue has led to the same pictures and statuses as a new registration (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const server = await eg.server({ organisation, departments });
    const ids = people.map((name) => server.user(name));
    const model = new Map<Name, Owner>(
      people.map((name) => [name, { picture: `/avatars/${name}.png`, status: '', photo: everyone, statusAudience: everyone }]),
    );
    const clients = new Map<Name, Awaited<ReturnType<typeof register>>>();
    for (const name of people) clients.set(name, await register(eg.signIn(server, name)));

    const step = async (number: number) => {
      const name = random.pick([...owners]);
      const [owner, client] = [model.get(name), eg.signIn(server, name)];
      if (!owner) throw new Error('every owner is in the model');
      await random.pick([
        async () => {
          owner.picture = random.chance(0.3) ? null : `/avatars/${name}-${number}.png`;
          await server.setAvatar(name, owner.picture);
        },
        async () => {
          owner.status = random.chance(0.3) ? '' : `状態 ${number}`;
          await client.ok(updateStatus, { status_text: owner.status });
        },
        async () => {
          owner.photo = audience(random, ids);
          await client.ok(updateSettings, { photo_audience: owner.photo });
        },
        async () => {
          owner.statusAudience = audience(random, ids);
          await client.ok(updateSettings, { status_audience: owner.statusAudience });
        },
      ])();
    };
    const catchUp = async (name: Name) => {
      const registration = clients.get(name);
      for (const event of (await registration?.queue.take()) ?? []) if (registration) apply(registration.visible, event);
    };

    for (let number = 0; number < 60; number += 1) {
      await step(number);
      // Some members poll immediately, others receive several changes together.
      for (const name of random.some(people, 0.3)) await catchUp(name);
    }
    for (const [index, name] of people.entries()) {
      await catchUp(name);
      const visible = clients.get(name)?.visible;
      expect(visible).toEqual((await register(eg.signIn(server, name))).visible);
      for (const [other, { picture, status, photo, statusAudience }] of model) {
        const [id, own] = [server.user(other), other === name];
        const viewer = ids[index] ?? 0;
        expect([name, other, visible?.pictures.get(id)]).toEqual([
          name,
          other,
          own || admits(photo, name, viewer) ? picture : null,
        ]);
        const shown = (own || admits(statusAudience, name, viewer)) && status !== '' ? status : undefined;
        expect([name, other, visible?.statuses.get(id)]).toEqual([name, other, shown]);
      }
    }
  },
);
