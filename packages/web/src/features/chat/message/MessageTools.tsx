import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import {
  Copy,
  Ellipsis,
  History,
  Link2,
  MailOpen,
  Pencil,
  Quote,
  SmilePlus,
  Star,
  StarOff,
  Trash2,
  UserRound,
} from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { MenuItems, type MenuItem } from '../../../components/primitives/Menu.tsx';
import type { MenuAnchor } from '../../../components/primitives/menuPlacement.ts';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCopy } from '../../../hooks/copy.ts';
import { useFailureToast } from '../../../hooks/changeSettings.ts';
import { useMemberCard } from '../../../hooks/memberCard.ts';
import { selectCustomReaction } from '../../../model/people/customReaction.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useMessageToolsWords } from '../../../i18n/messageTools.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { MessageKey, MessageView } from '../../../model/timeline/message.ts';
import type { Model } from '../../../model/model.ts';
import type { EmojiPickerSlot } from '../composer/Composer.tsx';
import styles from './MessageTools.module.css';
import { useRowKeys, useToolRow } from './rowTools.ts';
import { selectMessage, selectTimeline } from '../../../model/outbox/selectors.ts';

export type OpenTool =
  | { readonly kind: 'menu' | 'picker'; readonly messageId: number; readonly at: MenuAnchor }
  | { readonly kind: 'sheet' | 'delete' | 'history'; readonly messageId: number };

export interface MessageActions {
  edit(messageId: number): void;
  /** @param part The quoted part of the text; by default all of it. */
  quote(message: MessageView, part?: string): void;
  addressOf(messageId: number): string;
}

interface ToolsProps<Open> {
  readonly conversation: ConversationKey;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly acts: MessageActions;
  readonly emojiPicker: EmojiPickerSlot;
  readonly open: Open;
  readonly onOpen: (open: OpenTool | undefined) => void;
}

interface BarButtons {
  readonly reactButton: RefObject<HTMLButtonElement | null>;
  readonly menuButton: RefObject<HTMLButtonElement | null>;
}

/** The tools of the message under the pointer or focus. They move between rows through a portal, so that no row renders again. */
export function MessageTools(props: ToolsProps<OpenTool | undefined>) {
  const { scroller, acts, emojiPicker, open, onOpen } = props;
  const buttons = { reactButton: useRef<HTMLButtonElement>(null), menuButton: useRef<HTMLButtonElement>(null) };
  const row = useToolRow(scroller, open !== undefined);
  useRowKeys(scroller, (messageId, slot) => {
    const { right, bottom } = slot.getBoundingClientRect();
    onOpen({ kind: 'menu', messageId, at: { x: right, y: bottom, spare: messageBox(slot) } });
  });
  useLeftBehind(scroller, open?.kind === 'menu', onOpen);

  return (
    <>
      {row &&
        createPortal(
          <Bar {...buttons} messageId={row.messageId} acts={acts} emojiPicker={emojiPicker} open={open} onOpen={onOpen} />,
          row.slot,
        )}
      {open && <OpenedTool {...props} {...buttons} open={open} />}
    </>
  );
}

function useLeftBehind(scroller: RefObject<HTMLElement | null>, isOpen: boolean, onOpen: (open: undefined) => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => onOpen(undefined);
    const list = scroller.current;
    list?.addEventListener('wheel', close, { passive: true });
    return () => list?.removeEventListener('wheel', close);
  }, [scroller, isOpen, onOpen]);
}

/** The place of a message on the screen, found from its tools. */
function messageBox(tools: HTMLElement): DOMRect | undefined {
  return tools.closest('[data-tools]')?.parentElement?.getBoundingClientRect();
}

/** The selected part of a message's text; undefined if none is selected, or if the selection leaves the message. */
function selectedText(key: MessageKey): string | undefined {
  const content = document.querySelector(`article[data-key="${key}"] [data-tools]`)?.parentElement?.firstElementChild;
  const selection = getSelection();
  const isInside = content?.contains(selection?.anchorNode ?? null) && content.contains(selection?.focusNode ?? null);
  const text = isInside ? selection?.toString().trim() : undefined;
  return text === '' ? undefined : text;
}

interface BarProps extends Omit<ToolsProps<OpenTool | undefined>, 'conversation' | 'scroller'>, BarButtons {
  readonly messageId: number;
}

function Bar({ messageId, acts, emojiPicker, reactButton, menuButton, open, onOpen }: BarProps) {
  const words = useMessageToolsWords();
  const star = useStar();
  const message = useModel(selectMessage, messageId);
  if (!message || message.deleted) return null;
  const isOpen = (kind: OpenTool['kind']) => open?.kind === kind && open.messageId === messageId;
  const openAt = (kind: 'menu' | 'picker') => (event: { readonly currentTarget: HTMLElement }) => {
    const { right, left, bottom, top } = event.currentTarget.getBoundingClientRect();
    const at = kind === 'menu' ? { x: right, y: bottom + 4, spare: messageBox(event.currentTarget) } : { x: left, y: top };
    onOpen(isOpen(kind) ? undefined : { kind, messageId, at });
  };

  return (
    <div role="toolbar" aria-label={words.label} className={styles['bar']}>
      <IconButton
        ref={reactButton}
        name={words.react}
        icon={SmilePlus}
        className={styles['tool']}
        expanded={isOpen('picker')}
        onApproach={emojiPicker.preload}
        onClick={openAt('picker')}
      />
      <IconButton
        name={words.quote}
        icon={Quote}
        className={styles['tool']}
        keepFocus
        onClick={() => acts.quote(message, selectedText(message.key))}
      />
      <IconButton
        name={message.starred ? words.unstar : words.star}
        icon={message.starred ? StarOff : Star}
        className={styles['tool']}
        onClick={() => void star(message)}
      />
      <IconButton
        ref={menuButton}
        name={words.more}
        icon={Ellipsis}
        className={styles['tool']}
        expanded={isOpen('menu')}
        popup="menu"
        // Keeps the selected text, which may be quoted.
        keepFocus
        onClick={openAt('menu')}
      />
    </div>
  );
}

const MessageDialog = lazyComponent(
  async () => (await import('./MessageDialogs.tsx')).MessageDialog,
  (words) => words.messageTools.toolFailed,
);

function OpenedTool(props: ToolsProps<OpenTool> & BarButtons) {
  const { conversation, scroller, acts, emojiPicker, reactButton, menuButton, open, onOpen } = props;
  const words = useMessageToolsWords();
  const { messageId } = open;
  const message = useModel(selectMessage, messageId);
  const article = () => scroller.current?.querySelector<HTMLElement>(`article[data-key="${messageId}"]`);
  const items = useItems(conversation, message, acts, article, onOpen);
  const react = useReact(emojiPicker);
  const isGone = message === undefined || message.deleted;

  const close = () => {
    onOpen(undefined);
    const { activeElement } = document;
    // A focused element in a picker or dialog is removed when that closes.
    const isInOpened = activeElement?.closest('dialog') !== null;
    const isNowhere = activeElement === document.body || isInOpened || isOf(article(), activeElement);
    if (isNowhere) article()?.focus({ preventScroll: true });
  };

  const leave = useEffectEvent(close);
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);

  if (isGone) return null;
  switch (open.kind) {
    case 'menu':
      return (
        <div className={styles['menu']}>
          <MenuItems
            name={words.label}
            items={items}
            first="first"
            at={open.at}
            onClose={() => {
              onOpen(undefined);
              article()?.focus({ preventScroll: true });
            }}
            onLeave={(target) => {
              if (!isOf(menuButton.current, target)) onOpen(undefined);
            }}
          />
        </div>
      );
    case 'picker':
      return (
        <emojiPicker.Picker
          at={open.at}
          opener={reactButton}
          onPick={(emoji) => {
            close();
            void react(messageId, emoji);
          }}
          onClose={close}
        />
      );
    case 'sheet':
    case 'delete':
    case 'history':
      return (
        <MessageDialog
          message={message}
          messageId={messageId}
          kind={open.kind}
          items={items}
          onReact={() => onOpen({ kind: 'picker', messageId, at: { x: innerWidth / 2, y: innerHeight / 2 } })}
          onClose={close}
          onLoadFailure={close}
        />
      );
  }
}

function isOf(element: Element | null | undefined, target: Node | null): boolean {
  return element?.contains(target) ?? false;
}

export interface MessageDialogProps {
  readonly messageId: number;
  readonly message: MessageView;
  readonly kind: 'sheet' | 'delete' | 'history';
  readonly items: readonly MenuItem[];
  readonly onReact: () => void;
  readonly onClose: () => void;
}

function useItems(
  conversation: ConversationKey,
  message: MessageView | undefined,
  acts: MessageActions,
  article: () => Element | null | undefined,
  onOpen: (open: OpenTool | undefined) => void,
): readonly MenuItem[] {
  const { memberCard: cardWords } = useWords();
  const words = useMessageToolsWords();
  const card = useMemberCard();
  const model = useCommands();
  const toast = useToast();
  const showFailure = useFailureToast();
  const copy = useCopy();
  const star = useStar();
  if (!message || typeof message.key === 'string' || message.deleted) return [];
  const { key: messageId, starred, edited, align, msgType, content } = message;
  const rights = model.rights(messageId);

  const copyAs = (text: string, copied: string) => copy(text, { copied, notCopied: words.notCopied(text) });
  const keepUnread = async () => {
    const failure = await model.unreadFrom(conversation, messageId);
    showFailure(failure);
    if (!failure) toast({ text: words.unreadKept, tone: 'note' });
  };

  return [
    { name: words.quote, icon: Quote, run: () => acts.quote(message, selectedText(message.key)) },
    ...item(rights.edit, { name: words.edit, icon: Pencil, run: () => acts.edit(messageId) }),
    { name: starred ? words.unstar : words.star, icon: starred ? StarOff : Star, run: () => void star(message) },
    ...item(align === 'left' || isFollowed(model, conversation, messageId), {
      name: words.unreadFrom,
      icon: MailOpen,
      run: () => void keepUnread(),
    }),
    { name: words.copyLink, icon: Link2, run: () => copyAs(acts.addressOf(messageId), words.linkCopied) },
    ...item(msgType === 'text', { name: words.copyText, icon: Copy, run: () => copyAs(content, words.textCopied) }),
    {
      name: cardWords.open(message.senderFullName),
      icon: UserRound,
      run: () => card.open(message.senderId, article() ?? document.body),
    },
    ...item(edited, { name: words.history, icon: History, run: () => onOpen({ kind: 'history', messageId }) }),
    ...item(rights.delete, {
      name: words.delete,
      icon: Trash2,
      danger: true,
      run: () => onOpen({ kind: 'delete', messageId }),
    }),
  ];
}

/** Whether another member wrote after the message. True if the newest messages are not loaded. */
function isFollowed(model: Model, conversation: ConversationKey, messageId: number): boolean {
  const { keys = [], foundNewest = false } = selectTimeline(model.state(), conversation) ?? {};
  const isOfOthers = (key: MessageKey) =>
    selectMessage(model.state(), key)?.align === 'left' && !selectMessage(model.state(), key)?.deleted;
  return !foundNewest || keys.some((key) => typeof key === 'number' && key > messageId && isOfOthers(key));
}

function item(offered: boolean, shown: MenuItem): readonly MenuItem[] {
  return offered ? [shown] : [];
}

function useStar(): (message: MessageView) => Promise<void> {
  const model = useCommands();
  const showFailure = useFailureToast();
  return async ({ key, starred }) => {
    if (typeof key === 'number') showFailure(await model.star(key, !starred));
  };
}

function useReact({ reactionOf }: EmojiPickerSlot): (messageId: number, emoji: string) => Promise<void> {
  const words = useWords().messageTools;
  const model = useCommands();
  const toast = useToast();
  const showFailure = useFailureToast();
  return async (messageId, emoji) => {
    try {
      const reaction = selectCustomReaction(model.state(), emoji) ?? (await reactionOf(emoji));
      showFailure(await model.toggleReaction(messageId, reaction));
    } catch {
      toast({ text: words.toolFailed, tone: 'alert' });
    }
  };
}
