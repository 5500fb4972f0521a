import type * as livekit from 'livekit-client';
import { beforeEach, expect, it, vi } from 'vitest';
import { callBrowser } from '../../../test/callBrowser.ts';
import { openRoom, type RoomState } from './livekitRoom.ts';
import type { Tracks } from './peer.ts';

interface FakeTrack {
  readonly label: string;
  enabled: boolean;
}

/** What LiveKit's client is asked. It switches on what it publishes, as the real one does. */
const client = vi.hoisted(() => ({
  connected: [] as unknown[],
  options: [] as unknown[],
  published: new Map<string, { track: { mediaStreamTrack: FakeTrack; sender: { track: FakeTrack | null } } }>(),
  become: (state: string): void => expect.unreachable(`no room becomes ${state}`),
  publishAgain: (): void => expect.unreachable('no room publishes'),
  failure: undefined as Error | undefined,
  released: [] as FakeTrack[],
}));

vi.mock('livekit-client', async (original) => {
  const real = await original<typeof livekit>();
  class Sender {
    track: FakeTrack | null;
    readonly encoding = {};
    constructor(track: FakeTrack) {
      this.track = track;
    }
    getParameters = () => ({ encodings: [this.encoding] });
    setParameters = async () => undefined;
    replaceTrack = async (track: FakeTrack | null) => void (this.track = track);
  }
  class Room {
    state = 'disconnected';
    readonly #handlers = new Map<string, (argument?: unknown) => void>();
    readonly remoteParticipants = new Map();
    readonly localParticipant = {
      getTrackPublication: (source: string) => client.published.get(source),
      publishTrack: async (track: FakeTrack, { source, ...options }: { readonly source: string }) => {
        track.enabled = true;
        client.options.push({ source, ...options });
        client.published.set(source, { track: { mediaStreamTrack: track, sender: new Sender(track) } });
      },
      unpublishTrack: async ({ mediaStreamTrack }: { readonly mediaStreamTrack: FakeTrack }, stops: boolean) => {
        client.options.push({ unpublished: mediaStreamTrack.label, stops });
        for (const [source, { track }] of client.published)
          if (track.mediaStreamTrack === mediaStreamTrack) client.published.delete(source);
      },
    };
    constructor() {
      client.become = (state) => {
        this.state = state;
        this.#handlers.get(real.RoomEvent.ConnectionStateChanged)?.(state);
      };
      client.publishAgain = () => {
        for (const { track } of client.published.values()) {
          track.mediaStreamTrack.enabled = true;
          track.sender.track = track.mediaStreamTrack;
        }
        this.#handlers.get(real.RoomEvent.LocalTrackPublished)?.();
      };
    }
    on(event: string, handler: (argument?: unknown) => void) {
      this.#handlers.set(event, handler);
      return this;
    }
    async connect(...given: readonly unknown[]) {
      client.connected.push(given);
      if (client.failure) throw client.failure;
    }
    disconnect = async () => client.become('disconnected');
  }
  return {
    ...real,
    Room,
    getEmptyAudioStreamTrack: (): FakeTrack => ({ label: 'silence', enabled: false }),
    releaseEmptyAudioStreamTrack: async (track: FakeTrack) => void client.released.push(track),
  };
});

beforeEach(() => {
  client.connected.length = 0;
  client.options.length = 0;
  client.published.clear();
  client.failure = undefined;
  client.released.length = 0;
});

/** A room with the member's own tracks, which the test replaces. */
async function openedRoom() {
  callBrowser();
  const devices = await navigator.mediaDevices.getUserMedia({ audio: true, video: true });
  const [microphone = null] = devices.getAudioTracks();
  const [camera = null] = devices.getVideoTracks();
  if (microphone) microphone.enabled = false;
  const own: { -readonly [Kind in keyof Tracks]: Tracks[Kind] } = { voice: microphone, camera: null, screen: null };
  const states: RoomState[] = [];
  const log = vi.fn();
  const room = openRoom({
    url: 'wss://livekit.example.com',
    token: 'token',
    ice: [],
    tracks: () => own,
    quality: () => undefined,
    onState: (state) => states.push(state),
    onMedia: vi.fn(),
    log,
  });
  return { room, own, microphone, camera, states, log };
}

const sent = (source: string) => client.published.get(source)?.track.sender.track?.label;

it('[R2.10] The browser asks no STUN server that LiveKit names', async () => {
  await openedRoom();
  expect(client.connected).toEqual([
    ['wss://livekit.example.com', 'token', expect.objectContaining({ rtcConfig: { iceServers: [] } })],
  ]);
});

it('[R2.10] LiveKit’s client never switches on the microphone of a muted member, also when it publishes again', async () => {
  const { room, microphone } = await openedRoom();
  client.become('connected');
  await vi.waitFor(() => expect(sent('microphone')).toBe(microphone?.label));
  client.publishAgain();
  expect(sent('microphone')).toBe('silence');
  await vi.waitFor(() => expect(sent('microphone')).toBe(microphone?.label));
  expect(microphone?.enabled).toBe(false);
  room.close();
  await vi.waitFor(() => expect(client.released).toMatchObject([{ label: 'silence' }]));
});

it('[R2.10] A camera is sent in one size while it is on, and is not stopped by LiveKit’s client', async () => {
  const { room, own, camera } = await openedRoom();
  client.become('connected');
  own.camera = camera;
  room.refresh();
  await vi.waitFor(() => expect(sent('camera')).toBe(camera?.label));
  own.camera = null;
  room.refresh();
  await vi.waitFor(() => expect(sent('camera')).toBeUndefined());
  expect(client.options).toEqual([
    { source: 'microphone' },
    { source: 'camera', simulcast: false },
    { unpublished: camera?.label, stops: false },
  ]);
});

it('[R2.10] A room says that it reconnects and that it is lost, but not that the member has left it', async () => {
  const { room, states, log } = await openedRoom();
  for (const state of ['connected', 'reconnecting', 'connected', 'disconnected']) client.become(state);
  expect(states).toEqual(['connected', 'reconnecting', 'connected', 'lost']);
  expect(room.isOpen()).toBe(false);
  client.become('connected');
  room.close();
  expect(states).toEqual(['connected', 'reconnecting', 'connected', 'lost', 'connected']);
  expect(log).not.toHaveBeenCalled();
});

it('[R2.10] A connection that LiveKit refuses is logged without ending the call', async () => {
  client.failure = new Error('could not establish signal connection');
  const { log } = await openedRoom();
  await vi.waitFor(() => expect(log).toHaveBeenCalledWith('call_connection_failed', client.failure));
});

it('[R2.10] LiveKit’s client stores nothing in the browser', async () => {
  await openedRoom();
  expect(localStorage.length).toBe(0);
});
