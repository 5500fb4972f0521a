import type { CallState } from '@engawa/protocol/calls';
import { useCallNames } from '../../hooks/callNames.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import type { OwnCall } from '../../model/calls/ownCall.ts';

/** The reason why a member is alone in the call. `alone`: nobody was rung, or somebody was in the call before. */
export type Waiting = 'ringing' | 'declined' | 'unanswered' | 'alone';

export function waitingIn(call: Pick<CallState, 'ringing' | 'answers'> | undefined, memberId: number | undefined): Waiting {
  if (!call) return 'alone';
  if (call.ringing.length > 0) return 'ringing';
  const others = call.answers.filter(({ user_id }) => user_id !== memberId).map(({ answer }) => answer);
  if (others.length === 0 || others.includes('joined')) return 'alone';
  return others.includes('missed') ? 'unanswered' : 'declined';
}

interface PanelNotice {
  readonly text: string;
  readonly tone: 'note' | 'alert';
  /** The participant to whom a new connection can be tried. */
  readonly reconnects?: string;
  /** Those who did not answer can be rung again. */
  readonly ringsAgain?: boolean;
}

interface NoticeOptions {
  readonly call: OwnCall;
  readonly waiting: Waiting;
  readonly camerasUpTo: number;
}

/** The notices during a call, the most urgent first. */
export function useCallNotices({ call, waiting, camerasUpTo }: NoticeOptions): readonly PanelNotice[] {
  const { state, tile, problems, ended } = useCallsWords();
  const nameOf = useCallNames();
  const notices: PanelNotice[] = [];
  if (call.serverAway) notices.push({ text: state.serverAway, tone: 'alert' });
  if (call.phase === 'waiting' && waiting === 'declined') notices.push({ text: ended.declined, tone: 'note' });
  if (call.phase === 'waiting' && waiting === 'unanswered')
    notices.push({ text: ended.unanswered, tone: 'note', ringsAgain: true });
  const others = call.participants.filter(({ isSelf }) => !isSelf);
  const cutOff = others.filter(({ link }) => link === 'noPath');
  const [first] = cutOff;
  if (!call.throughServer) {
    for (const { id, userId } of cutOff) notices.push({ text: tile.noPath(nameOf(userId)), tone: 'alert', reconnects: id });
  } else if (first && cutOff.length === others.length) {
    notices.push({ text: state.noMediaServer, tone: 'alert', reconnects: first.id });
  }
  if (call.deviceLost) notices.push({ text: state.deviceLost(call.deviceLost.lost, call.deviceLost.now), tone: 'note' });
  for (const problem of call.problems) notices.push({ text: problems[problem], tone: 'note' });
  if (!call.camerasAllowed) notices.push({ text: state.camerasOff(camerasUpTo + 1), tone: 'note' });
  return notices;
}
