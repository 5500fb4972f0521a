import { fakeClock } from '@engawa/client/testing';
import { expect, it, vi } from 'vitest';
import { joinedCall, kenHere } from '../../../test/callServer.ts';
import { createLivekitLinks } from './livekit.ts';
import type { LivekitRoom, LivekitRoomOptions, RoomState } from './livekitRoom.ts';
import type { Sound } from './sound.ts';

/** A room that has been opened. */
interface Opened extends LivekitRoomOptions {
  isOpen: boolean;
  present: Set<string>;
  become(state: RoomState): void;
}

const opened: Opened[] = [];

vi.mock('./livekitRoom.ts', () => ({
  openRoom(opening: LivekitRoomOptions): LivekitRoom {
    const room: Opened = {
      ...opening,
      isOpen: false,
      present: new Set(),
      become(state) {
        room.isOpen = state !== 'lost';
        opening.onState(state);
      },
    };
    opened.push(room);
    return {
      isOpen: () => room.isOpen,
      has: (id) => room.present.has(id),
      streamOf: () => undefined,
      levelOf: () => 0.5,
      refresh: vi.fn(),
      close: () => (room.isOpen = false),
    };
  },
}));

const entry = (token: string) =>
  joinedCall({
    engine: 'livekit',
    livekit: { url: 'wss://livekit.example.com', token },
    ice: [{ urls: ['turn:turn.example.com'] }],
  });

const silence: Sound = {
  play: vi.fn(),
  stop: vi.fn(),
  listenTo: vi.fn(),
  level: () => 0,
  setSpeaker: vi.fn(),
  testTone: vi.fn(),
  recordAndPlay: async () => undefined,
  close: vi.fn(),
};

/** The links of a member to 健, who has joined before. */
function linksToKen() {
  opened.length = 0;
  const clock = fakeClock();
  const [rejoin, log] = [vi.fn(), vi.fn()];
  const links = createLivekitLinks({
    clock,
    sound: silence,
    tracks: () => ({ voice: null, camera: null, screen: null }),
    rejoin,
    onChange: vi.fn(),
    log,
  });
  links.joined(entry('first'));
  return {
    clock,
    links,
    rejoin,
    log,
    ken: () => links.others()[0],
    /** The newest room, once the client has been loaded. */
    async room(count = 1) {
      await vi.waitFor(() => expect(opened).toHaveLength(count));
      return opened.at(-1) ?? expect.unreachable();
    },
  };
}

it('[R2.10] A member enters LiveKit with the token of the join and the own TURN servers, and hears the others in the room', async () => {
  const { ken, room } = linksToKen();
  const opening = await room();
  expect(opening).toMatchObject({ url: 'wss://livekit.example.com', token: 'first', ice: [{ urls: ['turn:turn.example.com'] }] });
  expect(ken()?.link).toBe('connecting');
  opening.present.add(kenHere.participant);
  opening.become('connected');
  expect(ken()).toMatchObject({ link: 'connected', speaking: true });
});

it('[R2.10] A participant whose own connection to LiveKit fails is shown as without a path after 15 seconds', async () => {
  const { clock, ken, room } = linksToKen();
  (await room()).become('connected');
  expect(ken()?.link).toBe('connecting');
  await clock.pass(15_000);
  expect(ken()?.link).toBe('noPath');
});

it('[R2.10] A member whose connection to LiveKit is lost joins again for a new token, and is then connected', async () => {
  const { clock, links, ken, rejoin, room } = linksToKen();
  const before = await room();
  before.present.add(kenHere.participant);
  before.become('connected');
  before.become('lost');
  expect(ken()?.link).toBe('reconnecting');
  await clock.pass(2000);
  await vi.waitFor(() => expect(rejoin).toHaveBeenCalledOnce());
  links.joined(entry('second'));
  const after = await room(2);
  expect(after.token).toBe('second');
  after.present.add(kenHere.participant);
  after.become('connected');
  expect(ken()?.link).toBe('connected');
});

it('[R2.10] A member who joins again while LiveKit is connected keeps the connection', async () => {
  const { links, room } = linksToKen();
  const { become } = await room();
  become('connected');
  links.joined(entry('second'));
  become('reconnecting');
  links.joined(entry('third'));
  await vi.dynamicImportSettled();
  expect(opened).toHaveLength(1);
});

it('[R2.10] Attempts to reach LiveKit end after 30 seconds with words, and begin again when the member asks for it', async () => {
  const { clock, links, ken, rejoin, room } = linksToKen();
  const { become } = await room();
  become('connected');
  become('reconnecting');
  await clock.pass(12_000);
  for (const waited of [7500, 7500, 7500]) await clock.pass(waited);
  await vi.waitFor(() => expect(ken()?.link).toBe('noPath'));
  const tried = rejoin.mock.calls.length;
  expect(links.restart(kenHere.participant)).toBe(true);
  await clock.pass(0);
  await vi.waitFor(() => expect(rejoin).toHaveBeenCalledTimes(tried + 1));
  expect(ken()?.link).toBe('reconnecting');
});

it('[R2.10] A call that is left before LiveKit’s client has loaded opens no room', async () => {
  const { links } = linksToKen();
  links.close();
  await vi.dynamicImportSettled();
  expect(opened).toEqual([]);
});
