import { maxInvitationsPerCall } from '@engawa/protocol/administration';
import { useSubmission } from '../../../hooks/submission.ts';
import { useCommands } from '../../../hooks/model.ts';
import { invite } from '../calls.ts';
import { invitationStore, noInvitations, type InvitationState } from '../drafts.ts';
import { useDraftStore } from '../draftStore.ts';
import { addressesIn } from './addresses.ts';

const change = (changes: Partial<InvitationState>) => invitationStore.set({ ...invitationStore.get(), ...changes });

/** Invites the typed addresses. Those that fail stay in the field; the links of the others are added to `sent`. */
export function useInviting(onInvited: () => void) {
  const model = useCommands();
  const state = useDraftStore(invitationStore);
  const { busy, failure, forget, submit } = useSubmission();
  const { emails, malformed } = addressesIn(state.text);

  const send = async () => {
    const { role, departments } = state;
    const refused = malformed.map((email) => ({ email, code: 'malformed' }));
    const keep = (rest: readonly string[]) =>
      change({ text: [...refused.map(({ email }) => email), ...rest].join('\n'), refused: [...refused] });
    for (let from = 0; from < emails.length; from += maxInvitationsPerCall) {
      const part = emails.slice(from, from + maxInvitationsPerCall);
      const answered = await model.ask(invite({ emails: part, role, departments: [...departments] }));
      if (!('answer' in answered)) return answered;
      refused.push(...answered.answer.refused);
      keep(emails.slice(from + part.length));
      change({ sent: [...answered.answer.sent, ...invitationStore.get().sent], isCopied: false });
      onInvited();
    }
    if (refused.length === 0) change({ departments: [], role: noInvitations.role });
    else keep([]);
    return undefined;
  };

  return {
    state,
    count: emails.length,
    hasMalformed: malformed.length > 0,
    busy,
    failure,
    invite: () => void submit(send),
    change: (changes: Partial<InvitationState>) => {
      forget();
      change(changes);
    },
  };
}
