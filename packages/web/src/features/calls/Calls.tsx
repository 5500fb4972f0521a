import { useEffect, useEffectEvent, useState } from 'react';
import type { CallState } from '@engawa/protocol/calls';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useCallNames } from '../../hooks/callNames.ts';
import { useOpenCall } from '../../hooks/calls.ts';
import { useModel } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import { conversationOfCall, selectMissedCalls, selectRinging } from '../../model/calls/selectors.ts';
import { selectCall, selectCallElsewhere, selectOwnCall } from '../../model/calls/state.ts';
import type { CallCommands, OwnCall } from '../../model/calls/ownCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';
import { selectMember } from '../../model/people/memberView.ts';
import { selectMe } from '../../model/people/selectors.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import { CallPanel } from './CallPanel.tsx';
import { ElsewhereNotice, useComesToFront } from './ElsewhereNotice.tsx';
import { EndedNotice } from './EndedNotice.tsx';
import { JoinDialog } from './JoinDialog.tsx';
import { useCallLimits } from './joinFacts.ts';
import { MissedNotice } from './MissedNotice.tsx';
import { isSilenced } from './ownDevices.ts';
import { Ring } from './Ring.tsx';
import { useCallCommands } from './useCallCommands.ts';
import { waitingIn } from './useCallNotices.ts';
import { useCallKeys } from './useCallKeys.ts';
import { useCallNotification, useRinging } from './useRinging.ts';

export interface CallsProps {
  readonly addressOf: (conversation: ConversationKey) => string;
  readonly onGo: (address: string) => void;
}

/** R2.10: everything of calls that is shown over the screens, wherever the member is. */
export function Calls(props: CallsProps) {
  const commands = useCallCommands();
  const openCall = useOpenCall();
  const own = useModel(selectOwnCall);
  const ringing = useModel(selectRinging);
  const missed = useModel(selectMissedCalls);
  const elsewhere = useModel(selectCallElsewhere);
  const memberId = useModel(selectMe)?.userId;
  if (!commands) return null;
  return (
    <>
      {ringing && <IncomingCall key={ringing.id} call={ringing} commands={commands} {...props} />}
      {missed.map((call) => (
        <MissedCall key={call.id} call={call} commands={commands} {...props} />
      ))}
      {elsewhere !== undefined && !own && memberId !== undefined && (
        <ElsewhereNotice memberId={memberId} onMove={() => openCall(elsewhere, 'audio')} />
      )}
      {own && <OwnCallScreens key={own.conversation} call={own} commands={commands} />}
    </>
  );
}

interface OwnCallScreensProps {
  readonly call: OwnCall;
  readonly commands: CallCommands;
}

function OwnCallScreens({ call, commands }: OwnCallScreensProps) {
  const ongoing = useModel(selectCall, call.conversation);
  const limits = useCallLimits(call.conversation);
  const me = useModel(selectMe)?.userId;
  const isTalking = useCallKeys(call, commands);
  useComesToFront(me);
  const { phase, ended, elsewhere, problems, isAccepted } = call;
  const showFailure = useFailureToast();
  const [failure, setFailure] = useState<Failure>();
  const goesOn = isAccepted && !failure && ongoing !== undefined && elsewhere === undefined && !isSilenced(problems);
  const joinsNow = goesOn && phase === 'ready';
  const join = async (how: Parameters<CallCommands['join']>[0]) => {
    setFailure(undefined);
    setFailure(await commands.join(how));
  };
  const joinNow = useEffectEvent(() => void commands.join({}).then(setFailure));
  useEffect(() => {
    if (joinsNow) joinNow();
  }, [joinsNow]);
  if (phase === 'ended') {
    return ended && <EndedNotice key={ended} ended={ended} limit={limits.participants} onClose={commands.leave} />;
  }
  if (!goesOn && (phase === 'asking' || phase === 'ready' || phase === 'joining')) {
    const present = ongoing?.participants.filter((userId) => userId !== me) ?? [];
    return <JoinDialog call={call} commands={commands} limits={limits} present={present} failure={failure} onJoin={join} />;
  }
  const ringAgain = async () => {
    const missing = ongoing?.answers.filter(({ answer }) => answer === 'missed').map(({ user_id }) => user_id) ?? [];
    showFailure(await commands.ring(missing));
  };
  return (
    <CallPanel
      call={call}
      commands={commands}
      waiting={waitingIn(ongoing, me)}
      camerasUpTo={limits.cameras}
      isTalking={isTalking}
      onRingAgain={() => void ringAgain()}
    />
  );
}

interface CallProps extends CallsProps {
  readonly call: CallState;
  readonly commands: CallCommands;
}

function useCaller({ call, addressOf }: Pick<CallProps, 'call' | 'addressOf'>) {
  const conversation = conversationOfCall(call);
  const view = useModel(selectConversation, conversation);
  return {
    conversation,
    address: addressOf(conversation),
    name: useCallNames()(call.started_by),
    icon: useModel(selectMember, call.started_by)?.avatarUrl,
    streamName: view?.kind === 'stream' ? view.name : undefined,
  };
}

function IncomingCall(props: CallProps) {
  const { call, commands, onGo } = props;
  const words = useCallsWords().ring;
  const showFailure = useFailureToast();
  const openCall = useOpenCall();
  const { conversation, address, name, icon, streamName } = useCaller(props);
  const body = [words[call.kind], ...(streamName === undefined ? [] : [words.inStream(streamName)])].join(' ');
  useRinging();
  useCallNotification({ callId: call.id, title: words.label(name), body, icon, address, onGo });
  return (
    <Ring
      kind={call.kind}
      callerId={call.started_by}
      streamName={streamName}
      onAccept={(kind) => openCall(conversation, kind, { accepts: true })}
      onDecline={() => void commands.decline(call.id).then(showFailure)}
    />
  );
}

function MissedCall(props: CallProps) {
  const { call, commands, onGo } = props;
  const words = useCallsWords().missed;
  const times = useTimes();
  const openCall = useOpenCall();
  const { conversation, address, name, icon } = useCaller(props);
  const close = () => commands.dismissMissed(call.id);
  useCallNotification({
    callId: call.id,
    title: words.from(name, times.clock(call.started)),
    body: words.advice,
    icon,
    address,
    onGo,
  });
  return (
    <MissedNotice
      callerId={call.started_by}
      since={call.started}
      onCallBack={() => {
        close();
        openCall(conversation, call.kind);
      }}
      onClose={close}
    />
  );
}
