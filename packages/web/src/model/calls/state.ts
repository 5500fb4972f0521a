/** The state of calls for all screens. The code that changes it is loaded after the first screen. */
import type { CallList, CallState } from '@engawa/protocol/calls';
import type { DraftsState } from '../drafts/state.ts';
import type { ConversationKey } from '../streams/conversation.ts';
import type { OwnCall } from './ownCall.ts';

export interface CallsState extends DraftsState {
  /** The ongoing calls of the member's conversations. */
  readonly calls: ReadonlyMap<ConversationKey, CallState>;
  /** How the media of new calls may travel; empty until the server has answered. */
  readonly callEngines: CallList['engines'];
  /** The calls that rang and that the member neither joined nor declined, the newest last, until they are dismissed. */
  readonly missedCalls: readonly CallState[];
  /** The call of this tab. */
  readonly ownCall: OwnCall | undefined;
  /** The member's call is in another tab of this browser. */
  readonly callElsewhere: ConversationKey | undefined;
}

export const initialCalls: Omit<CallsState, keyof DraftsState> = {
  calls: new Map(),
  callEngines: [],
  missedCalls: [],
  ownCall: undefined,
  callElsewhere: undefined,
};

export const selectCall = ({ calls }: CallsState, conversation: ConversationKey) => calls.get(conversation);
export const selectOwnCall = ({ ownCall }: CallsState) => ownCall;
export const selectCallElsewhere = ({ callElsewhere }: CallsState) => callElsewhere;
