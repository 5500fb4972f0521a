import { draft, type Draft, type RegistrationSnapshot } from '@engawa/protocol';
import { z } from 'zod/mini';
import type { OutboxState } from '../outbox/state.ts';
import { memoise } from '../memoise.ts';
import { isDirect, type ConversationKey, type DirectKey } from '../streams/conversation.ts';

export interface DraftsState extends OutboxState {
  /** The drafts on the server, by id; undefined until they are loaded, and empty if the member does not synchronize them. */
  readonly drafts: ReadonlyMap<number, Draft> | undefined;
  /** The conversations with an unsent text or chosen files on this device. */
  readonly drafted: ReadonlySet<ConversationKey>;
}

export const initialDrafts: Omit<DraftsState, keyof OutboxState> = { drafts: undefined, drafted: new Set() };

/** The part of the state that the answer of register contains and that tabs send each other. */
export const draftsSnapshot = { drafts: z.map(z.int(), draft) };

export function draftsFrom({ drafts = [] }: RegistrationSnapshot) {
  return { drafts: new Map(drafts.map((each) => [each.id, each])) };
}

export function drafted<S extends DraftsState>(state: S, conversation: ConversationKey, has: boolean): S {
  if (state.drafted.has(conversation) === has) return state;
  const conversations = new Set([conversation]);
  return { ...state, drafted: has ? state.drafted.union(conversations) : state.drafted.difference(conversations) };
}

export const selectSavedDrafts = ({ drafts }: DraftsState) => drafts;
export const selectHasDraft = ({ drafted: conversations }: DraftsState, conversation: ConversationKey) =>
  conversations.has(conversation);

const draftedDirects = memoise((conversations: ReadonlySet<ConversationKey>): readonly DirectKey[] =>
  [...conversations].filter(isDirect),
);
export const selectDraftedDirects = (state: DraftsState) => draftedDirects(state.drafted);
