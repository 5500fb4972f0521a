import { Icon, Phone } from '../../../components/icons.ts';
import { Button } from '../../../components/primitives/Button.tsx';
import { useOpenCall } from '../../../hooks/calls.ts';
import { useModel } from '../../../hooks/model.ts';
import { useCallsWords } from '../../../i18n/calls.ts';
import { selectCall, selectCallElsewhere, selectOwnCall } from '../../../model/calls/state.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import styles from './JoinCall.module.css';
import { OngoingCall } from './OngoingCall.tsx';

interface JoinCallProps {
  readonly conversation: ConversationKey;
}

/** The ongoing call of the conversation, unless the member is in it in this browser. */
function useJoinable(conversation: ConversationKey) {
  const openCall = useOpenCall();
  const call = useModel(selectCall, conversation);
  const own = useModel(selectOwnCall);
  const elsewhere = useModel(selectCallElsewhere);
  if (!call || elsewhere === conversation || (own?.conversation === conversation && own.phase !== 'ended')) return undefined;
  return { participants: call.participants, join: () => openCall(conversation, call.kind) };
}

/** In the header, in place of the buttons that start a call. A narrow header has no room, so only the banner joins there. */
export function JoinCall({ conversation }: JoinCallProps) {
  const words = useCallsWords().ongoing;
  const call = useJoinable(conversation);
  if (!call) return null;
  return (
    <Button className={styles['join']} size="medium" variant="primary" onClick={call.join}>
      <Icon of={Phone} size={16} strokeWidth={2} />
      {words.join}
    </Button>
  );
}

/** Below the header: who is in the call. */
export function CallBanner({ conversation }: JoinCallProps) {
  const call = useJoinable(conversation);
  return call && call.participants.length > 0 && <OngoingCall participants={call.participants} onJoin={call.join} />;
}
