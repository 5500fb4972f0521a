import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai } from '../../../test/organisation.ts';
import { eg, started, stopAll } from '../../../test/example.ts';
import { begin } from '../../../test/exampleState.ts';
import { peopleAfter } from './changes.ts';
import { selectConnection } from '../connection/state.ts';
import { selectLocation, selectMe, selectProfileFailure } from './selectors.ts';
import { selectPeople } from './peopleList.ts';

afterEach(stopAll);

const tooShort = { kind: 'refused', code: 'BAD_REQUEST', message: 'Name too short!' };
const draft = { name: '田中 藍', email: 'ai2@engawa.example', location: '京都', picture: 'keep' } as const;

describe('The member’s own profile', () => {
  it('The member’s own profile is available once it is loaded', async () => {
    const { model } = await started();
    expect(selectLocation(model.state())).toBeUndefined();
    model.loadProfile();
    await vi.waitFor(() => expect(selectLocation(model.state())).toBe('東京本社'));
  });

  it('If the own profile cannot be loaded, the model reports the reason and tries again until it succeeds', async () => {
    const { server, model, clock } = await started();
    server.fail('GET /api/profile', 'cut', errorAnswer(500, 'INTERNAL', 'Internal server error'));
    model.loadProfile();
    await vi.waitFor(() => expect(selectProfileFailure(model.state())).toEqual({ kind: 'network' }));
    for (const wait of [1000, 2000]) await clock.pass(wait);
    await vi.waitFor(() => expect(selectLocation(model.state())).toBe('東京本社'));
    expect(selectProfileFailure(model.state())).toBeUndefined();
  });

  it('A failed load of the own profile is repeated at once when the member asks', async () => {
    const { server, model } = await started();
    server.fail('GET /api/profile', 'cut');
    model.loadProfile();
    await vi.waitFor(() => expect(selectProfileFailure(model.state())).toBeDefined());
    model.loadProfile();
    await vi.waitFor(() => expect(selectLocation(model.state())).toBe('東京本社'));
    expect(server.called('GET /api/profile')).toHaveLength(2);
  });

  it('[R4.12] A saved profile is shown before the event of the change arrives', async () => {
    const { model } = await started();
    expect(await model.saveProfile(draft)).toBeUndefined();
    expect(selectMe(model.state())).toMatchObject({ fullName: '田中 藍', email: 'ai2@engawa.example' });
    expect(selectLocation(model.state())).toBe('京都');
  });

  it('[R7.4] A saved profile is sent with the chosen image, or else with the name of the chosen built-in picture', async () => {
    const { server, model } = await started();
    await model.saveProfile({ ...draft, picture: 'built-in:7' });
    await model.saveProfile({ ...draft, picture: new Blob(['GIF89a'], { type: 'image/gif' }) });
    const [chosen, own] = server.profileForms;
    expect([...(chosen?.keys() ?? [])]).toEqual(['name', 'email', 'location', 'avatar']);
    expect(chosen?.get('avatar')).toBe('built-in:7');
    expect([...(own?.keys() ?? [])]).toEqual(['name', 'email', 'location', 'image']);
    expect(own?.get('image')).toMatchObject({ size: 6, type: 'image/gif' });
  });

  it.each([
    ['cut', { kind: 'network' }],
    [errorAnswer(400, 'BAD_REQUEST', 'Name too short!'), tooShort],
    [errorAnswer(500, 'INTERNAL', 'Internal server error'), { kind: 'server' }],
    [new Response('<h1>Hello</h1>'), { kind: 'malformed' }],
    [Response.json({ result: 'success' }), { kind: 'malformed' }],
  ] as const)(
    '[R8.4] If the server does not save a profile, the profile stays, and saveProfile returns the reason',
    async (fault, failure) => {
      const { server, model } = await started();
      server.fail('POST /api/profile', fault);
      expect(await model.saveProfile(draft)).toEqual(failure);
      expect(selectMe(model.state())).toMatchObject({ fullName: ai.full_name, email: ai.email });
    },
  );

  it('A profile cannot be saved after the session has ended', async () => {
    const { server, model } = await started();
    server.signInAs(undefined);
    expect(await model.saveProfile(draft)).toEqual({ kind: 'signed-out' });
    expect(selectConnection(model.state())).toBe('signed-out');
  });

  it('An answer to a load that began before the profile was saved does not overwrite the saved profile', async () => {
    const { server, model } = await started();
    server.fail('GET /api/profile', 'late');
    model.loadProfile();
    await vi.waitFor(() => expect(server.called('GET /api/profile')).toHaveLength(1));
    await model.saveProfile(draft);
    const shown: (string | undefined)[] = [];
    model.watch(selectLocation, () => shown.push(selectLocation(model.state())));
    server.release();
    // It is requested again when the first answer has arrived.
    await vi.waitFor(() => {
      model.loadProfile();
      expect(server.called('GET /api/profile')).toHaveLength(2);
    });
    expect(shown).toEqual([]);
  });

  it('Saving a profile ends when the model is stopped', async () => {
    const { server, model } = await eg();
    server.fail('POST /api/profile', 'hold');
    const saving = model.saveProfile(draft);
    await vi.waitFor(() => expect(server.called('POST /api/profile')).toHaveLength(1));
    await model.stop();
    expect(await saving).toEqual({ kind: 'signed-out' });
  });
});

it('[R4.12] The profile of a member changes with every kind of event about it', () => {
  const changes = [
    { delivery_email: 'ai3@example.com' },
    { new_email: 'ai3@example.com' },
    { full_name: '田中 あい' },
    { avatar_url: '/avatars/avatar-2.svg' },
    { email: 'ai3@example.com', timezone: 'UTC' },
  ];
  const after = changes.reduce(
    (state, change) =>
      peopleAfter(state, { id: 1, type: 'realm_user', op: 'update', person: { user_id: ai.user_id, ...change } }),
    begin(),
  );
  const shown = { email: 'ai3@example.com', fullName: '田中 あい', avatarUrl: '/avatars/avatar-2.svg' };
  expect(selectMe(after)).toMatchObject(shown);
  expect(selectPeople(after)).toContainEqual(expect.objectContaining({ userId: ai.user_id, ...shown }));
});
