/** Plays the voices of a call, and measures the member's own. */

const testToneHertz = 440;
const testToneSeconds = 0.6;
const recordedSeconds = 3;
/** Root mean squares of speech are far below 1, so that the meter would hardly move. */
const meterGain = 4;

export interface Sound {
  play(id: string, stream: MediaStream): void;
  stop(id: string): void;
  /** @param track the member's microphone, whose loudness `level` returns. */
  listenTo(track: MediaStreamTrack | undefined): void;
  /** 0 to 1. */
  level(): number;
  setSpeaker(deviceId: string | undefined): void;
  testTone(): void;
  recordAndPlay(): Promise<void>;
  close(): void;
}

export function createSound(log: (message: string, error: unknown) => void): Sound {
  const context = new AudioContext();
  const elements = new Map<string, HTMLAudioElement>();
  const analyser = new AnalyserNode(context, { fftSize: 512 });
  const samples = new Float32Array(analyser.fftSize);
  let microphone: MediaStreamAudioSourceNode | undefined;
  let speaker: string | undefined;

  const resume = () => void context.resume().catch((error: unknown) => log('call_sound_failed', error));

  const sendTo = (element: HTMLAudioElement) => {
    if (speaker === undefined || !('setSinkId' in element)) return;
    element.setSinkId(speaker).catch((error: unknown) => log('call_speaker_failed', error));
  };

  const play = (id: string, stream: MediaStream) => {
    const element = elements.get(id) ?? new Audio();
    elements.set(id, element);
    element.srcObject = stream;
    sendTo(element);
    element.play().catch((error: unknown) => {
      // A stream that is stopped or replaced before it has media rejects as well.
      if (element.srcObject === stream) log('call_playing_failed', error);
    });
  };

  const stop = (id: string) => {
    const element = elements.get(id);
    elements.delete(id);
    if (element) element.srcObject = null;
  };

  /** Undefined if the browser cannot measure the microphone, for example at another sample rate. The call needs no level. */
  const sourceOf = (track: MediaStreamTrack): MediaStreamAudioSourceNode | undefined => {
    try {
      return context.createMediaStreamSource(new MediaStream([track]));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      log('call_level_failed', error);
      return undefined;
    }
  };

  /** Plays what is connected to the returned node, on the chosen speaker. */
  const output = (id: string) => {
    const destination = context.createMediaStreamDestination();
    play(id, destination.stream);
    return destination;
  };

  return {
    play,
    stop,
    listenTo(track) {
      resume();
      microphone?.disconnect();
      microphone = track && sourceOf(track);
      microphone?.connect(analyser);
    },
    level() {
      if (!microphone) return 0;
      analyser.getFloatTimeDomainData(samples);
      const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.sqrt(meanSquare) * meterGain);
    },
    setSpeaker(deviceId) {
      speaker = deviceId;
      elements.values().forEach(sendTo);
    },
    testTone() {
      resume();
      const tone = new OscillatorNode(context, { frequency: testToneHertz });
      const loudness = new GainNode(context, { gain: 0.2 });
      tone.connect(loudness).connect(output('test'));
      tone.start();
      tone.stop(context.currentTime + testToneSeconds);
      tone.addEventListener('ended', () => stop('test'));
    },
    async recordAndPlay() {
      if (!microphone) return;
      resume();
      const gate = new GainNode(context, { gain: 1 });
      const delay = new DelayNode(context, { maxDelayTime: recordedSeconds, delayTime: recordedSeconds });
      microphone.connect(gate).connect(delay).connect(output('test'));
      gate.gain.setValueAtTime(0, context.currentTime + recordedSeconds);
      // A silent source tells by the context's own clock when all has been played.
      const end = new ConstantSourceNode(context, { offset: 0 });
      end.start();
      end.stop(context.currentTime + 2 * recordedSeconds);
      await new Promise((resolve) => end.addEventListener('ended', resolve));
      gate.disconnect();
      stop('test');
    },
    close() {
      for (const id of elements.keys().toArray()) stop(id);
      context.close().catch((error: unknown) => log('call_sound_failed', error));
    },
  };
}
