/** The first screen does not need these selectors of calls. */
import type { CallState } from '@engawa/protocol/calls';
import { directOf, type ConversationKey } from '../streams/conversation.ts';
import type { CallsState } from './state.ts';

export const selectMissedCalls = ({ missedCalls }: CallsState) => missedCalls;
export const selectCallById = ({ calls }: CallsState, callId: string) => calls.values().find(({ id }) => id === callId);

/** The call that rings for the member, unless this tab is already in a call. */
export function selectRinging({ calls, ownCall, memberId }: CallsState): CallState | undefined {
  if (ownCall && ownCall.phase !== 'ended') return undefined;
  return calls.values().find(({ ringing }) => memberId !== undefined && ringing.includes(memberId));
}

export function conversationOfCall({ conversation }: Pick<CallState, 'conversation'>): ConversationKey {
  return typeof conversation === 'number' ? conversation : directOf(conversation);
}
