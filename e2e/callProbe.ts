/** Runs in a member's page before the product: gives the member a tone for a voice, and observes what the product plays. */
import type { BrowserContext } from '@playwright/test';

/** A page of any browser. */
export interface ProbedPage {
  evaluate<Answer>(expression: string): Promise<Answer>;
}

export interface Heard {
  readonly hertz: number;
  readonly decibels: number;
}

/** Everything that one connection of the page has received. */
export interface Link {
  readonly isConnected: boolean;
  readonly packets: number;
  /** Of the voice: the square of its loudness (0 to 1) times seconds. */
  readonly energy: number;
  readonly cameraFrames: number;
  readonly screenFrames: number;
}

export interface Received {
  /** In the order in which the product made them; a closed one keeps its place. */
  readonly links: readonly Link[];
  /** Own offers and answers. */
  readonly negotiations: number;
  /** Connections that send the own voice, also while it is silent. */
  readonly voicesSent: number;
  /** Of the cameras that are sent, the most bits per second. */
  readonly cameraBitrate: number;
  /** The addresses of the STUN and TURN servers that the connections may ask. */
  readonly servers: readonly string[];
}

/** The fundamental of the voice of the member with this number, in hertz. */
export const toneOf = (member: number): number => 400 + 250 * member;

/** @param ice replaces settings of the product's connections. */
export async function installProbe(context: BrowserContext, member: number, ice: RTCConfiguration = {}): Promise<void> {
  await context.addInitScript(installInPage, { tone: toneOf(member), ice });
}

/** For a browser without sound output, which makes no tones: its fake microphone is the voice. */
export const probeScript = `(${String(installInPage)})({ tone: undefined, ice: {} })`;

/** Within 25 Hz and above -60 dB. */
export const isTone =
  (tone: number) =>
  ({ hertz, decibels }: Heard): boolean =>
    decibels > -60 && Math.abs(hertz - tone) <= 25;

/** The strongest frequency of each voice that the product plays. */
export const heard = (page: ProbedPage): Promise<readonly Heard[]> => page.evaluate<readonly Heard[]>('callProbe.heard()');
/** Watches for `milliseconds`. @returns the longest time, in milliseconds, without a packet of a voice from anybody. */
export const longestGap = (page: ProbedPage, milliseconds: number): Promise<number> =>
  page.evaluate<number>(`callProbe.longestGap(${milliseconds})`);
export const received = (page: ProbedPage): Promise<Received> => page.evaluate<Received>('callProbe.received()');

interface Setting {
  readonly tone: number | undefined;
  readonly ice: RTCConfiguration;
}

function installInPage({ tone, ice }: Setting): void {
  const played = new Set<HTMLMediaElement>();
  const connections: RTCPeerConnection[] = [];
  const analysers = new WeakMap<MediaProvider, AnalyserNode>();
  const microphones: MediaStream[] = [];
  let negotiations = 0;
  let audio: AudioContext | undefined;
  /** Browsers play nothing before the member has pressed something. */
  const audioContext = () => (audio ??= new AudioContext());

  function voiceOf(microphone: MediaStream): MediaStreamTrack[] {
    if (tone === undefined) return microphone.getAudioTracks();
    const context = audioContext();
    const output = context.createMediaStreamDestination();
    const oscillator = new OscillatorNode(context, { frequency: tone });
    oscillator.connect(new GainNode(context, { gain: 0.3 })).connect(output);
    oscillator.start();
    return output.stream.getAudioTracks();
  }

  // The real device is asked for as well, because only then does the browser offer real addresses.
  const askForDevices = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async ({ audio: wantsAudio = false, video = false } = {}) => {
    const small = video === false ? false : { width: 160, height: 90, frameRate: 10 };
    const devices = await askForDevices({ audio: wantsAudio, video: small });
    microphones.push(devices);
    return new MediaStream([...(wantsAudio === false ? [] : voiceOf(devices)), ...devices.getVideoTracks()]);
  };
  navigator.mediaDevices.getDisplayMedia = () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const pen = canvas.getContext('2d');
    setInterval(() => pen?.fillRect(Math.random() * 320, Math.random() * 180, 20, 20), 100);
    return Promise.resolve(canvas.captureStream(10));
  };

  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function playAndRemember() {
    if (this instanceof HTMLAudioElement) played.add(this);
    return play.call(this);
  };
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration: RTCConfiguration = {}) {
      super({ ...configuration, ...ice });
      connections.push(this);
    }

    override setLocalDescription(description?: RTCLocalSessionDescriptionInit): Promise<void> {
      negotiations += 1;
      return super.setLocalDescription(description);
    }
  };

  function analyserOf(stream: MediaStream): AnalyserNode {
    const known = analysers.get(stream);
    if (known) return known;
    const context = audioContext();
    const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
    context.createMediaStreamSource(stream).connect(analyser);
    analysers.set(stream, analyser);
    return analyser;
  }

  function peakOf(stream: MediaStream) {
    const analyser = analyserOf(stream);
    const levels = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(levels);
    const decibels = Math.max(...levels);
    return { hertz: (levels.indexOf(decibels) * audioContext().sampleRate) / analyser.fftSize, decibels };
  }

  function playedStreams(): MediaStream[] {
    return [...played].flatMap(({ paused, srcObject }) =>
      !paused && srcObject instanceof MediaStream && srcObject.getAudioTracks().length > 0 ? [srcObject] : [],
    );
  }

  const links = () =>
    Promise.all(
      connections.map(async (connection) => {
        const link = {
          isConnected: connection.connectionState === 'connected',
          packets: 0,
          energy: 0,
          cameraFrames: 0,
          screenFrames: 0,
        };
        (await connection.getStats()).forEach((each) => {
          if (each.type !== 'inbound-rtp') return;
          // The lines of a mesh are numbered, those of the forwarding unit have names.
          const isCamera = each.mid === '1' || each.mid.startsWith('camera');
          if (each.kind === 'audio') {
            link.packets += each.packetsReceived;
            link.energy += each.totalAudioEnergy ?? 0;
          } else if (isCamera) link.cameraFrames += each.framesDecoded ?? 0;
          else link.screenFrames += each.framesDecoded ?? 0;
        });
        return link;
      }),
    );

  async function received() {
    const senders = connections.filter(({ connectionState }) => connectionState === 'connected').map((each) => each.getSenders());
    const cameras = senders.map(([, camera]) => camera);
    return {
      links: await links(),
      negotiations,
      voicesSent: senders.filter(([voice]) => voice?.track).length,
      cameraBitrate: Math.max(0, ...cameras.map((camera) => camera?.getParameters().encodings[0]?.maxBitrate ?? 0)),
      servers: connections.flatMap((each) => (each.getConfiguration().iceServers ?? []).flatMap(({ urls }) => urls)),
    };
  }

  async function packets(): Promise<number> {
    return (await received()).links.reduce((sum, link) => sum + link.packets, 0);
  }

  async function longestGap(milliseconds: number): Promise<number> {
    const start = performance.now();
    let [longest, grewAt, before] = [0, start, await packets()];
    while (performance.now() - start < milliseconds) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const sum = await packets();
      const now = performance.now();
      longest = Math.max(longest, now - grewAt);
      if (sum > before) grewAt = now;
      before = sum;
    }
    return longest;
  }

  Object.assign(globalThis, { callProbe: { heard: () => playedStreams().map(peakOf), received, longestGap } });
}
