import { callLimits, type CallState } from '@engawa/protocol/calls';
import { useModel } from '../../hooks/model.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';
import { selectPresence } from '../../model/people/selectors.ts';
import type { State } from '../../model/state.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';

type CallLimits = NonNullable<CallState['limits']>;

const limitsOfMesh: CallLimits = { participants: callLimits.participants.mesh, cameras: callLimits.cameras };

/** How many may take part in the call of a conversation: the ongoing one, or one that begins. */
export function useCallLimits(conversation: ConversationKey): CallLimits {
  const members = useModel(selectConversation, conversation)?.subscribers.length ?? 0;
  return useModel(selectCallLimits, conversation, members);
}

export function selectCallLimits({ calls, callEngines }: State, conversation: ConversationKey, members: number): CallLimits {
  const forNew = callEngines.find(({ participants }) => members <= participants) ?? callEngines.at(-1);
  return calls.get(conversation)?.limits ?? forNew ?? limitsOfMesh;
}

/** The name of those whom a new call rings, and whether none of them is online. */
export function useJoinFacts(conversation: ConversationKey) {
  const view = useModel(selectConversation, conversation);
  const members = view && view.subscribers.length <= callLimits.ringMembers ? view.subscribers : none;
  const nobodyOnline = useModel(selectNobodyOnline, members);
  const name = members.length > 1 ? view?.name : undefined;
  const isPerson = view?.kind === 'direct' && view.partnerId !== undefined;
  return { rings: name === undefined ? undefined : { name, isPerson }, nobodyOnline };
}

const none: readonly number[] = [];

/** False if the presence of somebody is unknown, because then they may be online. */
export function selectNobodyOnline(state: State, members: readonly number[]): boolean {
  const others = members.filter((userId) => userId !== state.memberId);
  return others.length > 0 && others.every((userId) => selectPresence(state, userId)?.kind === 'offline');
}
