import { useEffect } from 'react';
import { Phone } from '../../components/icons.ts';
import { Button } from '../../components/primitives/Button.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { permission, showNotification } from '../../hooks/notifying.ts';
import { useCallsWords } from '../../i18n/calls.ts';
import { CallNotice } from './CallNotice.tsx';

const channelOf = (memberId: number) => new BroadcastChannel(`engawa call tab ${memberId}`);

interface ElsewhereNoticeProps {
  readonly memberId: number;
  readonly onMove: () => void;
}

/**
 * The member's call is in another tab of this browser. A page cannot bring another tab to the front, so that tab shows a
 * notification, which can.
 */
export function ElsewhereNotice({ memberId, onMove }: ElsewhereNoticeProps) {
  const all = useCallsWords();
  const words = all.elsewhere;
  const toast = useToast();
  const goToTab = () => {
    const channel = channelOf(memberId);
    const post = channel.postMessage.bind(channel);
    post('show');
    channel.close();
    toast({ text: permission() === 'granted' ? words.pressNotification : words.findTab, tone: 'note' });
  };
  return (
    <CallNotice label={all.panel} icon={Phone} tone="accent" text={words.otherTab}>
      {(leave) => (
        <>
          <Button size="medium" onClick={goToTab}>
            {words.toTab}
          </Button>
          <Button size="medium" onClick={leave(onMove)}>
            {words.move}
          </Button>
        </>
      )}
    </CallNotice>
  );
}

/** In the tab of the call: comes to the front when another tab asks for it. */
export function useComesToFront(memberId: number | undefined): void {
  const { here } = useCallsWords().elsewhere;
  useEffect(() => {
    if (memberId === undefined) return undefined;
    const channel = channelOf(memberId);
    channel.addEventListener('message', () => {
      const notification = showNotification(here, { tag: 'engawa call tab', silent: true });
      notification?.addEventListener('click', () => {
        window.focus();
        notification.close();
      });
    });
    return () => channel.close();
  }, [memberId, here]);
}
