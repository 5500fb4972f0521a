/** Devices, connections and sound of a browser, which the DOM of the tests does not have. They only record what happens. */
import { locks } from 'node:worker_threads';
import { onTestFinished, vi } from 'vitest';

class Track extends EventTarget {
  enabled = true;
  readyState = 'live';
  readonly muted = false;
  readonly kind: 'audio' | 'video';
  readonly label: string;
  constructor(kind: 'audio' | 'video', label: string) {
    super();
    this.kind = kind;
    this.label = label;
  }
  getSettings = () => ({});
  stop(): void {
    this.readyState = 'ended';
  }
  unplug(): void {
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

class Stream {
  readonly #tracks: Track[];
  constructor(tracks: readonly Track[] = []) {
    this.#tracks = [...tracks];
  }
  getTracks = () => this.#tracks;
  getAudioTracks = () => this.#tracks.filter(({ kind }) => kind === 'audio');
  getVideoTracks = () => this.#tracks.filter(({ kind }) => kind === 'video');
  addTrack = (track: Track) => void this.#tracks.push(track);
}

class Connection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new';
  readonly signalingState = 'stable';
  readonly localDescription = { sdp: 'v=0' };
  addTransceiver = () => undefined;
  getTransceivers = () => [];
  createOffer = async () => ({ type: 'offer', sdp: 'v=0' });
  setLocalDescription = async () => undefined;
  connect = () => this.#become('connected');
  lose = () => this.#become('disconnected');
  #become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
  close(): void {
    this.connectionState = 'closed';
  }
}

interface CallBrowserOptions {
  /** The devices that exist. A device that is missing is `NotFoundError`. */
  readonly devices?: readonly ('microphone' | 'camera')[];
}

/** Replaces the media of the browser until the end of the test. */
export function callBrowser({ devices = ['microphone', 'camera'] }: CallBrowserOptions = {}) {
  const present = new Set(devices);
  const tracks: Track[] = [];
  const connections: Connection[] = [];
  const contexts: { isOpen: boolean }[] = [];
  const beacons: string[] = [];
  const browser = {
    /** All tracks that were granted, in order. */
    tracks,
    connections,
    contexts,
    /** The addresses of the beacons. */
    beacons,
    present,
    /** Throws as the browser does for a microphone that it cannot measure, or for the servers of a connection that it refuses. */
    refuses: { source: false, servers: false },
    /** The browser answers the question for devices when this resolves. */
    granting: Promise.resolve(),
    live: () => tracks.filter(({ readyState }) => readyState === 'live').map(({ label }) => label),
  };

  const take = (kind: 'audio' | 'video', name: 'microphone' | 'camera') => {
    if (!present.has(name)) throw new DOMException('No such device', 'NotFoundError');
    const track = new Track(kind, `${name} ${tracks.filter((each) => each.kind === kind).length + 1}`);
    tracks.push(track);
    return track;
  };
  const screen = () => {
    const track = new Track('video', 'screen');
    tracks.push(track);
    return track;
  };
  const mediaDevices = Object.assign(new EventTarget(), {
    async getUserMedia({ audio, video }: MediaStreamConstraints) {
      await browser.granting;
      return new Stream([...(audio ? [take('audio', 'microphone')] : []), ...(video ? [take('video', 'camera')] : [])]);
    },
    getDisplayMedia: async () => new Stream([screen()]),
    enumerateDevices: async () => [],
  });

  class Context {
    readonly #own = { isOpen: true };
    readonly currentTime = 0;
    constructor() {
      contexts.push(this.#own);
    }
    async resume(): Promise<void> {
      if (!this.#own.isOpen) throw new DOMException('The context is closed', 'InvalidStateError');
    }
    async close(): Promise<void> {
      await this.resume();
      this.#own.isOpen = false;
    }
    createMediaStreamSource() {
      if (browser.refuses.source) throw new DOMException('The sample rate differs', 'NotSupportedError');
      return { connect: () => undefined, disconnect: () => undefined };
    }
  }
  class Analyser {
    readonly fftSize = 8;
    getFloatTimeDomainData = () => undefined;
  }
  class NewConnection extends Connection {
    constructor() {
      super();
      if (browser.refuses.servers) throw new DOMException('The address of the server is malformed', 'SyntaxError');
      connections.push(this);
    }
  }

  const globals = {
    MediaStream: Stream,
    RTCPeerConnection: NewConnection,
    AudioContext: Context,
    AnalyserNode: Analyser,
    isSecureContext: true,
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const ofNavigator = { mediaDevices, locks, sendBeacon: (url: string) => beacons.push(url) > 0 };
  for (const [name, value] of Object.entries(ofNavigator)) Object.defineProperty(navigator, name, { value, configurable: true });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined);
  vi.spyOn(HTMLMediaElement.prototype, 'srcObject', 'set').mockReturnValue(undefined);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    for (const name of Object.keys(ofNavigator)) Reflect.deleteProperty(navigator, name);
  });
  return browser;
}
