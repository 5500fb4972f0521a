/** The commands of calls (R2.10): asking for devices, joining, what a member does in a call, and leaving. */
import { ApiError, type Clock } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { callDetails, callId, callPaths, startedCall, type JoinedCall } from '@engawa/protocol/calls';
import { z } from 'zod/mini';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { isDirect, participantsIn, type ConversationKey } from '../streams/conversation.ts';
import { startCall, type ActiveCall } from './activeCall.ts';
import { createDevices, type Devices } from './devices.ts';
import { createMedia, type Media } from './media.ts';
import { followCalls } from './ongoing.ts';
import type { CallCommands, CallDevice, CallEnd, CallKind, CallPhase, OwnCall, Participant } from './ownCall.ts';
import { askCall, join as joinCall } from './signalling.ts';
import { createSound, type Sound } from './sound.ts';
import { createSpeech, type Speech } from './speech.ts';
import type { CallsState } from './state.ts';
import { joinCallTabs, type CallTabs } from './tabs.ts';

/** Milliseconds between two looks at who is speaking. */
const listeningMs = 250;
const speechLevel = 0.1;

export interface Calls extends CallCommands {
  onEvents(events: readonly ServerEvent[]): void;
}

/** The call on the screen: before joining, during it, and after its end. */
interface Shown {
  readonly conversation: ConversationKey;
  readonly kind: CallKind;
  readonly isAccepted: boolean;
  readonly sound: Sound;
  readonly media: Media;
  phase: CallPhase;
  elsewhere: OwnCall['elsewhere'];
  ended: CallEnd | undefined;
  active: ActiveCall | undefined;
  since: number | undefined;
  readonly speech: Speech;
}

export function createCalls(context: ModelContext<CallsState>): Calls {
  const { store, environment, stop } = context;
  const devices = createDevices(environment.sharedStorage);
  const ongoing = followCalls(context);
  let shown: Shown | undefined;

  const publish = () => {
    const ownCall = shown && viewOf(shown, store.state().memberId ?? 0);
    store.update((state) => ({ ...state, ownCall }));
  };
  const close = () => {
    if (shown?.phase === 'ended') return;
    shown?.active?.close();
    shown?.media.close();
    shown?.sound.close();
    tabs.release();
  };
  const end = (ended: CallEnd) => {
    close();
    if (shown) shown = { ...shown, phase: 'ended', active: undefined, ended };
    publish();
  };
  const tabs = joinCallTabs({
    memberId: store.state().memberId ?? 0,
    environment,
    stop,
    onTaken() {
      shown?.active?.leave();
      end('moved');
    },
    onElsewhere: (callElsewhere) => store.update((state) => ({ ...state, callElsewhere })),
  });
  const leave = () => {
    shown?.active?.leave();
    close();
    shown = undefined;
    publish();
  };

  const commands = commandsOf(context, () => shown?.active);
  const joining = joiningOf({ context, tabs, publish, end, shown: () => shown });
  // A page that is kept, but was frozen, finds out by its next poll.
  const stopWatching = environment.onLeave(() => shown?.active?.leave());
  stop.addEventListener('abort', () => {
    stopWatching();
    leave();
  });

  return {
    ...commands,
    ...mediaCommands(() => shown, devices),
    onEvents: ongoing.onEvents,
    open(conversation, kind, { accepts = false } = {}) {
      if (shown?.active || shown?.phase === 'joining') return;
      close();
      const sound = createSound(environment.log);
      sound.setSpeaker(devices.speaker());
      const media = createMedia({
        devices,
        sound,
        clock: context.clock,
        onChange: () => mine.active?.mediaChanged() ?? publish(),
      });
      const mine: Shown = {
        conversation,
        kind,
        isAccepted: accepts,
        sound,
        media,
        phase: 'asking',
        elsewhere: store.state().callElsewhere === undefined ? undefined : 'otherTab',
        ended: undefined,
        active: undefined,
        since: undefined,
        speech: createSpeech(context.clock),
      };
      shown = mine;
      publish();
      const ask = async () => {
        await media.open(kind);
        if (shown !== mine) return;
        mine.phase = 'ready';
        publish();
      };
      void ask();
    },
    join: joining,
    leave,
  };
}

interface JoiningOptions {
  readonly context: ModelContext<CallsState>;
  readonly tabs: CallTabs;
  readonly publish: () => void;
  readonly end: (how: CallEnd) => void;
  readonly shown: () => Shown | undefined;
}

function joiningOf({ context, tabs, publish, end, shown }: JoiningOptions): CallCommands['join'] {
  const { store, clock } = context;

  async function start({ conversation, kind }: Shown): Promise<string> {
    const to = isDirect(conversation) ? [...participantsIn(conversation)] : conversation;
    try {
      return (await askCall(context, 'POST', callPaths.calls, startedCall, { conversation: to, kind })).answer.call.id;
    } catch (error) {
      // Somebody else was faster. Their call is joined.
      if (error instanceof ApiError && error.code === 'CALL_EXISTS') return callId.parse(error.data['call_id']);
      throw error;
    }
  }

  async function enter(own: Shown, move: boolean): Promise<JoinedCall> {
    const known = store.state().calls.get(own.conversation);
    own.media.enter((known?.participants.length ?? 0) + 1);
    return joinCall(context, known?.id ?? (await start(own)), { state: own.media.state(), move });
  }

  function refused(own: Shown, failure: Failure): Failure | undefined {
    const code = failure.kind === 'refused' ? failure.code : undefined;
    if (code === 'CALL_FULL') return void end('full');
    if (code === 'CALL_ENDED') return void end('over');
    tabs.release();
    own.phase = 'ready';
    own.elsewhere = code === 'IN_ANOTHER_CALL' ? 'otherDevice' : undefined;
    publish();
    return own.elsewhere ? undefined : failure;
  }

  return async ({ listenOnly = false, move = false }) => {
    const own = shown();
    if (own?.phase !== 'ready') return undefined;
    own.phase = 'joining';
    publish();
    const holds = await tabs.hold(own.conversation, move);
    if (shown() !== own) return undefined;
    if (!holds) {
      own.phase = 'ready';
      own.elsewhere = 'otherTab';
      publish();
      return undefined;
    }
    if (listenOnly || !own.media.hasMicrophone()) own.media.listenOnly();
    const joined = await context.attempt(() => enter(own, move));
    if ('kind' in joined) return shown() === own ? refused(own, joined) : undefined;
    const { media, sound } = own;
    const active = startCall({ context, joined, media, sound, onChange: changed, onEnd: end });
    if (shown() !== own) {
      active.leave();
      active.close();
      return undefined;
    }
    own.active = active;
    own.elsewhere = undefined;
    own.since = (joined.call.started - store.state().clockAhead) * 1000;
    changed();
    followSpeech({ clock, own, isShown: () => shown() === own, publish });
    return undefined;

    function changed(): void {
      if (!own) return;
      // Somebody who was alone and is alone again still sees the call, not that it rings.
      own.phase = own.active?.participants().length || own.phase === 'inCall' ? 'inCall' : 'waiting';
      publish();
    }
  };
}

function commandsOf(context: ModelContext<CallsState>, active: () => ActiveCall | undefined) {
  const { attempt, store } = context;
  const post = async (path: string, body?: object) => {
    const answered = await attempt(() => askCall(context, 'POST', path, z.unknown(), body));
    return 'answer' in answered ? undefined : answered;
  };
  return {
    async details(id: string) {
      const asked = await attempt(() => askCall(context, 'GET', callPaths.call(id), callDetails));
      return 'answer' in asked ? asked.answer : asked;
    },
    decline: (id: string) => post(callPaths.decline(id)),
    async ring(userIds: readonly number[]) {
      const call = active();
      return call && post(callPaths.ring(call.callId), { participant: call.participant(), user_ids: userIds });
    },
    dismissMissed: (id: string) =>
      store.update((state) => ({ ...state, missedCalls: state.missedCalls.filter((call) => call.id !== id) })),
    reconnect: (participant: string) => active()?.reconnect(participant),
  };
}

function mediaCommands(shown: () => Shown | undefined, devices: Devices) {
  return {
    setMuted: (on: boolean) => shown()?.media.setMuted(on),
    talk: (held: boolean) => shown()?.media.talk(held),
    async setCamera(on: boolean) {
      const own = shown();
      if (!on || (own?.active?.camerasAllowed() ?? true)) await own?.media.setCamera(on);
    },
    setScreen: async (on: boolean) => shown()?.media.setScreen(on),
    flipCamera: async () => shown()?.media.flipCamera(),
    devices: devices.list,
    async choose(kind: CallDevice['kind'], id: string) {
      devices.choose(kind, id);
      if (kind === 'speaker') shown()?.sound.setSpeaker(id);
      else await shown()?.media.renew(kind);
    },
    testSound: () => shown()?.sound.testTone(),
    recordAndPlay: async () => shown()?.sound.recordAndPlay(),
  };
}

interface SpeechOptions {
  readonly clock: Clock;
  readonly own: Shown;
  readonly isShown: () => boolean;
  readonly publish: () => void;
}

/** Follows who speaks until the call is over. */
function followSpeech({ clock, own, isShown, publish }: SpeechOptions): void {
  const look = () => {
    if (!isShown() || !own.active) return;
    clock.after(listeningMs, look);
    const self = !own.media.state().muted && own.sound.level() > speechLevel ? [own.active.participant()] : [];
    const others = own.active.participants().flatMap(({ id, speaking }) => (speaking ? [id] : []));
    if (own.speech.update([...self, ...others])) publish();
  };
  look();
}

function viewOf(own: Shown, memberId: number): OwnCall {
  const { conversation, kind, isAccepted, phase, elsewhere, ended, active, since, media, sound } = own;
  const { preview, shared, ...devices } = media.shown();
  const self: Participant = {
    id: active?.participant() ?? '',
    userId: memberId,
    isSelf: true,
    link: 'connected',
    muted: devices.muted,
    listenOnly: !media.hasMicrophone(),
    speaking: false,
    camera: preview,
    screen: shared,
  };
  return {
    conversation,
    kind,
    isAccepted,
    callId: active?.callId,
    phase,
    ...devices,
    preview,
    level: sound.level,
    participants: (active ? [self, ...active.participants()] : []).map((each) => ({
      ...each,
      speaking: own.speech.isSpeaking(each.id) && (each.isSelf || !each.muted),
    })),
    camerasAllowed: active?.camerasAllowed() ?? true,
    serverAway: active?.serverAway() ?? false,
    throughServer: active?.throughServer() ?? false,
    ended,
    elsewhere,
    since,
  };
}
