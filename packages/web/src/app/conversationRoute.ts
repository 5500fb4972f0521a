import { useEffect, useEffectEvent, useRef } from 'react';
import { useToast } from '../components/primitives/Toasts.tsx';
import { useCommands, useModel } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectConversation, selectMayOpen } from '../model/conversations/selectors.ts';
import { withMember, type ConversationKey } from '../model/streams/conversation.ts';
import { selectLostStream } from '../model/streams/state.ts';
import { selectCurrent } from '../model/timeline/state.ts';
import { addressOfConversation } from '../model/streams/address.ts';
import { addressOfList, type List, type Route, type Router } from './route.ts';

export function useOpenConversation(route: Route, router: Router, memberId: number): void {
  const words = useWords();
  const model = useCommands();
  const toast = useToast();
  const conversationOf = ({ conversation }: Route) =>
    conversation === undefined ? undefined : withMember(conversation, memberId);
  const conversation = conversationOf(route);

  const refuse = (list: List, refused: ConversationKey) => {
    const lost = selectLostStream(model.state());
    const isStream = typeof refused === 'number';
    const reason = isStream ? words.organisation.noAccess : words.direct.notThere;
    if (lost && lost.streamId === refused) toast({ text: words.streamTools[lost.how](lost.name), tone: 'note' });
    else toast({ text: reason, tone: 'alert' });
    router.replace(addressOfList(list));
  };

  const open = useEffectEvent(() => {
    const now = router.route();
    const { list, messageId, place } = now;
    const asked = conversationOf(now);
    const readable = selectMayOpen(model.state(), asked);
    if (asked === undefined || readable === undefined) return;
    if (!readable) refuse(list, asked);
    else if (place?.conversation === asked) model.returnTo(place);
    else if (messageId === undefined) model.open(asked);
    else model.openAt(asked, messageId);
  });

  // Each navigation opens its conversation, also the same address again. The subscription opens it before React renders the
  // address, so both are rendered together.
  useEffect(() => {
    open();
    return router.subscribe(() => open());
  }, [router]);
  useEffect(
    () =>
      model.watch(
        (state) => selectMayOpen(state, conversation),
        () => open(),
      ),
    [model, conversation],
  );
}

/** Shows the chat instead of the list if the chat has the focus when zooming or turning the phone makes the window narrow. */
export function useKeepChatInFront(narrow: boolean, router: Router): void {
  const current = useModel(selectCurrent);
  const isInChat = useRef(false);

  useEffect(() => {
    // No event reports that the focused element was removed, so the last `focusin` decides.
    const look = ({ target }: FocusEvent) => {
      isInChat.current = target instanceof Element && target.closest('main') !== null;
    };
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, []);

  const goToChat = useEffectEvent(() => {
    const { conversation, list } = router.route();
    // The administration shows no chat, and its sections have their own addresses.
    if (!isInChat.current || current === undefined || conversation !== undefined || list === 'administration') return;
    router.go(addressOfConversation(current));
  });
  useEffect(() => {
    if (narrow) goToChat();
  }, [narrow]);
}

export function useConversationBesideList(route: Route, router: Router): void {
  const model = useCommands();
  const current = useModel(selectCurrent);
  const arrivedAt = useRef<Route>(undefined);

  useEffect(() => {
    const { conversation, beside, place } = route;
    const before = arrivedAt.current;
    arrivedAt.current = route;
    if (conversation !== undefined) return;
    const arrives = before !== route && beside !== undefined && selectConversation(model.state(), beside) !== undefined;
    const isAlreadyShown = beside === current && before !== undefined && before.conversation === undefined;
    if (arrives && isAlreadyShown) return;
    if (arrives && place?.conversation === beside) model.returnTo(place);
    else if (arrives) model.open(beside);
    else if (current !== undefined) router.keepBeside(current);
  }, [route, router, model, current]);
}
