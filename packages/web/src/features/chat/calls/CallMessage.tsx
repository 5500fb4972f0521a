import { useEffect, useState } from 'react';
import type { CallDetails } from '@engawa/protocol/calls';
import { useOpenCall } from '../../../hooks/calls.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import type { CallKind } from '../../../model/calls/ownCall.ts';
import { conversationOfCall, selectCallById } from '../../../model/calls/selectors.ts';
import { selectCallElsewhere, selectOwnCall } from '../../../model/calls/state.ts';
import { CallCard, type CallCardProps } from './CallCard.tsx';

interface CallMessageProps {
  readonly call: { readonly id: string; readonly kind: CallKind };
}

/** The card of a call: ongoing from the state of the model, ended from the server. */
export function CallMessage({ call: { id, kind } }: CallMessageProps) {
  const openCall = useOpenCall();
  const ongoing = useModel(selectCallById, id);
  const own = useModel(selectOwnCall);
  const elsewhere = useModel(selectCallElsewhere);
  const isOngoing = ongoing !== undefined;
  const details = useCallDetails(id, isOngoing);
  if (ongoing) {
    const conversation = conversationOfCall(ongoing);
    const isInIt = own?.callId === id || elsewhere === conversation;
    const onJoin = isInIt ? undefined : () => openCall(conversation, kind);
    return <CallCard kind={kind} state="ongoing" minutes={0} people={ongoing.participants.length} onJoin={onJoin} />;
  }
  return <CallCard kind={kind} onJoin={undefined} {...(details ? summaryOf(details) : unknown)} />;
}

type Summary = Pick<CallCardProps, 'state' | 'minutes' | 'people'>;

const unknown: Summary = { state: 'unknown', minutes: 0, people: 0 };

export function summaryOf({ call, people }: CallDetails): Summary {
  const joined = people.filter(({ answer }) => answer === 'joined');
  if (joined.length < 2) return { state: 'unanswered', minutes: 0, people: joined.length };
  const minutes = Math.floor(((call.ended ?? call.started) - call.started) / 60);
  return { state: 'ended', minutes, people: joined.length };
}

/** A call that has ended does not change, so it is asked for once per page. */
const ended = new Map<string, CallDetails>();

function useCallDetails(id: string, isOngoing: boolean): CallDetails | undefined {
  const { calls } = useCommands();
  const [details, setDetails] = useState(() => ended.get(id));
  useEffect(() => {
    if (isOngoing || details) return undefined;
    const load = async () => {
      const loaded = await calls.use((commands) => commands.details(id));
      if ('kind' in loaded) return;
      if (loaded.call.state === 'ended') ended.set(id, loaded);
      setDetails(loaded);
    };
    void load();
    return undefined;
  }, [calls, id, isOngoing, details]);
  return details;
}
