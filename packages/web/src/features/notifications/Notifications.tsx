import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { systemClock } from '@engawa/client';
import { parseFileMessage } from '@engawa/protocol';
import { attention, onAttention } from '../../hooks/attention.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useNoticeText } from '../../hooks/notices.ts';
import { permission, showNotification } from '../../hooks/notifying.ts';
import { onPressed, type Shown } from '../../hooks/shownByWorker.ts';
import { play, soundOf } from '../../hooks/sounds.ts';
import { useNotificationsWords } from '../../i18n/notifications.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import type { Arrival } from '../../model/unread/arrivals.ts';
import type { Model } from '../../model/model.ts';
import { announces } from './announces.ts';
import { showAppBadge } from './appBadge.ts';
import { lockReading, lockedConversations } from './readingLocks.ts';
import { createAnnouncements } from './announcements.ts';
import { selectMember } from '../../model/people/memberView.ts';
import { selectName, selectSettings } from '../../model/people/selectors.ts';
import { selectConversation, selectTotalUnread } from '../../model/conversations/selectors.ts';
import { selectIsUnread } from '../../model/unread/state.ts';
import type { MessageText } from '../../model/timeline/messageText.ts';

/** Limit of notifications for messages that arrive together. More messages share one notification. */
const mostAtOnce = 4;

export interface NotificationsProps {
  readonly memberId: number;
  readonly shown: ConversationKey | undefined;
  readonly plainText: (message: MessageText) => string;
  readonly addressOf: (conversation: ConversationKey, messageId: number) => string;
  readonly onGo: (address: string) => void;
}

/** R2.25.4: notifies of messages in conversations that are not visible, once for all tabs. */
export function Notifications(props: NotificationsProps) {
  const { memberId, shown } = props;
  useReading(memberId, shown);
  useAnnouncing(props);
  useMark();
  return null;
}

function useReading(memberId: number, shown: ConversationKey | undefined): void {
  const looks = useSyncExternalStore(onAttention, attention) !== 'away';
  useEffect(() => {
    if (!looks || shown === undefined || !('locks' in navigator)) return undefined;
    return lockReading(navigator.locks, memberId, shown);
  }, [memberId, shown, looks]);
}

function useAnnouncing({ memberId, plainText, addressOf, onGo }: NotificationsProps): void {
  const words = useNotificationsWords();
  const noticeText = useNoticeText();
  const model = useCommands();
  const {
    enable_desktop_notifications: wanted = true,
    enable_sounds: sounds = true,
    notification_sound,
  } = useModel(selectSettings);

  const levelOf = (conversation: ConversationKey) => {
    const view = selectConversation(model.state(), conversation);
    return view?.kind === 'stream' ? view.notifies : undefined;
  };

  const textOf = (arrival: Arrival) =>
    arrival.notice
      ? noticeText(arrival.senderFullName, arrival.notice)
      : (parseFileMessage(arrival.content)?.name ?? plainText(arrival));

  const titleOf = ({ conversation, senderFullName, senderId }: Arrival) => {
    const sender = selectName(model.state(), senderId) ?? senderFullName;
    const view = selectConversation(model.state(), conversation);
    return view?.kind === 'stream' ? words.inStream(sender, view.name) : sender;
  };

  const show = (title: string, address: string, arrivals: readonly Arrival[], options: NotificationOptions & { tag: string }) => {
    const notification = showNotification(title, { ...options, silent: true, data: { ...options.data, address } });
    if (!notification) return undefined;
    closeOnceRead(notification, model, arrivals);
    notification.addEventListener('click', () => open(notification, address));
    return notification.shown;
  };

  const notifyOf = (arrival: Arrival) => {
    const { conversation, messageId, senderId, timestamp } = arrival;
    const icon = selectMember(model.state(), senderId)?.avatarUrl;
    return show(titleOf(arrival), addressOf(conversation, messageId), [arrival], {
      body: textOf(arrival),
      // If another tab notifies of the message too, its notification replaces this one.
      tag: `engawa ${messageId}`,
      data: { messageId, timestamp },
      ...(icon === undefined ? {} : { icon: new URL(icon, location.href).href }),
    });
  };

  const notifyOfAll = (arrivals: readonly Arrival[]) => {
    const [first] = arrivals;
    if (!first) return undefined;
    return show(words.many(arrivals.length), addressOf(first.conversation, first.messageId), arrivals, {
      body: [...new Set(arrivals.map(titleOf))].slice(0, mostAtOnce).join('\n'),
      tag: 'engawa many',
    });
  };

  const open = (notification: Shown, address: string) => {
    window.focus();
    notification.close();
    onGo(address);
  };

  const go = useEffectEvent(onGo);
  useEffect(() => onPressed((address) => go(address)), []);

  const announce = useEffectEvent(async (arrivals: readonly Arrival[]) => {
    if (permission() !== 'granted' || !('locks' in navigator)) return;
    const isRead = await lockedConversations(navigator.locks, memberId);
    const told = arrivals.filter((arrival) => {
      const { conversation, messageId } = arrival;
      const situation = { memberId, wanted, level: levelOf(conversation), isBeingRead: isRead(conversation) };
      return announces(arrival, situation) && selectIsUnread(model.state(), conversation, messageId);
    });
    if (told.length === 0) return;
    const shown = told.length > mostAtOnce ? [notifyOfAll(told)] : told.map(notifyOf);
    if (sounds) void play(soundOf(notification_sound));
    await Promise.all(shown);
  });

  useEffect(() => {
    const channel = new BroadcastChannel(`engawa-told member ${memberId}`);
    const telling = createAnnouncements({
      polls: model.polls,
      announce: (arrivals) => announce(arrivals),
      channel,
      clock: systemClock,
    });
    const stop = model.onArrival(telling.hear);
    return () => {
      stop();
      telling.stop();
      channel.close();
    };
  }, [model, memberId]);
}

function closeOnceRead(notification: Shown, model: Model, arrivals: readonly Arrival[]): void {
  const look = () => {
    if (arrivals.some(({ conversation, messageId }) => selectIsUnread(model.state(), conversation, messageId))) return;
    // Ends the observation now, because not every system reports a closed notification.
    forget();
    notification.close();
  };
  const forget = () => stops.forEach((stop) => stop());
  const conversations = new Set(arrivals.map(({ conversation }) => conversation));
  const stops = [...conversations].map((conversation) => model.watch((state) => selectConversation(state, conversation), look));
  notification.addEventListener('close', forget);
}

/** R2.25.4: shows the number of unread messages on the page icon and on the icon of the installed app. */
function useMark(): void {
  const unread = useModel(selectTotalUnread);
  useEffect(() => showAppBadge(unread), [unread]);
  useEffect(() => () => showAppBadge(0), []);
}
