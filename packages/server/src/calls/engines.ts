import type { Clock } from '@engawa/chat-server/parts';
import type { Conversations } from '../chat/backend.ts';
import { callLimits } from '@engawa/protocol/calls';
import type { CallSettings } from '../configuration.ts';
import { createMesh, type Engine, type Engines } from './engine.ts';
import { createLivekit } from './livekit/livekit.ts';
import { createSfu, type Sfu, type SfuOptions } from './sfu/sfu.ts';

export interface EngineDependencies extends Pick<SfuOptions, 'log' | 'signal' | 'onLost'> {
  readonly settings: CallSettings;
  readonly conversations: Pick<Conversations, 'members'>;
  readonly nameOf: (userId: number) => string;
  readonly clock: Clock;
}

/**
 * Chooses how the media of a call travels, when it begins: by the smallest engine that has room for all members of the
 * conversation, or by the largest one.
 */
export function createEngines({ settings, conversations, nameOf, clock, ...dependencies }: EngineDependencies): Engines {
  const { forwarding, livekit: livekitSettings, throughServer } = settings;
  const mesh = createMesh(settings);
  const sfu = forwarding && createSfu({ ...forwarding, now: clock.now, ...dependencies });
  const unit = sfu && engineOf(sfu, mesh);
  const livekit = livekitSettings && createLivekit(livekitSettings, { mesh, nameOf, clock, log: dependencies.log });
  const ready = sfu?.probe() ?? Promise.resolve();

  function available(): readonly Engine[] {
    const servers = [...(unit && sfu.isAvailable() ? [unit] : []), ...(livekit ? [livekit.engine] : [])];
    return throughServer && servers.length > 0 ? servers : [mesh, ...servers];
  }

  return {
    ready,
    available,
    engineFor(conversation) {
      const engines = available();
      const largest = engines.at(-1) ?? mesh;
      const members = conversations.members(conversation, largest.mostParticipants).length;
      return engines.find(({ mostParticipants }) => members <= mostParticipants) ?? largest;
    },
    async close() {
      livekit?.close();
      await sfu?.close();
    },
  };
}

function engineOf(sfu: Sfu, { entryFor }: Engine): Engine {
  return {
    name: 'sfu',
    mostParticipants: callLimits.participants.sfu,
    mostCameras: callLimits.participants.sfu,
    mostCalls: callLimits.calls.sfu,
    entryFor,
    entered: sfu.join,
    left: sfu.leave,
    ended: () => undefined,
    receive(callId, participant, signal) {
      if (signal.kind === 'sfu_answer') sfu.answer(callId, participant, signal.data);
      else sfu.restart(callId, participant);
    },
  };
}
