import { useMemo, useRef, useState } from 'react';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import { type BotView, selectBots } from '../../model/people/bots.ts';
import type { OwnBots } from '../../model/people/bots.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { selectMe, selectName } from '../../model/people/selectors.ts';
import { selectPeople } from '../../model/people/peopleList.ts';
import { Avatar } from '../Avatar.tsx';
import { BotMark } from '../BotMark.tsx';
import { Ban, Icon, Pencil, Undo2, UserRound } from '../icons.ts';
import { MemberPicker } from '../MemberPicker.tsx';
import { Button } from '../primitives/Button.tsx';
import { ConfirmDialog } from '../primitives/ConfirmDialog.tsx';
import { Dialog } from '../primitives/Dialog.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import { scrollableByKeyboard } from '../primitives/scrollable.ts';
import { useMemberSections } from '../useMemberSections.ts';
import { EditBotForm } from './BotForm.tsx';
import { BotKey } from './BotKey.tsx';
import { BotStreams, useBotStreams } from './BotStreams.tsx';
import styles from './Bots.module.css';
import { useBotFailure } from './useBotFailure.ts';

interface BotDetailsProps {
  readonly userId: number;
  /** Whether the member may give the bot to others and reactivate it. */
  readonly administers?: boolean;
  readonly onClose: () => void;
}

/** Everything about one bot. The key and the streams are only for its owner. */
export function BotDetails({ userId, administers = false, onClose }: BotDetailsProps) {
  const bot = useModel(selectBots).find((each) => each.userId === userId);
  const me = useModel(selectMe)?.userId;
  if (!bot) return null;
  return (
    <Dialog heading={bot.fullName} tall onClose={onClose}>
      <div className={styles['details']} ref={scrollableByKeyboard}>
        <Facts bot={bot} />
        {bot.ownerId === me && bot.isActive && <OwnParts bot={bot} />}
        <Actions bot={bot} administers={administers} isOwn={bot.ownerId === me} />
      </div>
    </Dialog>
  );
}

function Facts({ bot }: { readonly bot: BotView }) {
  const words = useBotsWords();
  const owner = useModel(selectName, bot.ownerId ?? 0);
  const types: Readonly<Record<number, string>> = words.types;
  return (
    <div className={styles['who']}>
      <Avatar id={bot.userId} name={bot.fullName} picture={bot.avatarUrl} size="profile" />
      <div>
        <p className={styles['name']}>
          {bot.fullName}
          <BotMark userId={bot.userId} />
          {!bot.isActive && <em className={styles['off']}>{words.inactive}</em>}
        </p>
        <dl className={styles['facts']}>
          <dt>{words.address}</dt>
          <dd translate="no">{bot.email}</dd>
          <dt>{words.type}</dt>
          <dd>{types[bot.botType] ?? words.unknownType}</dd>
          <dt>{words.owner}</dt>
          <dd>{owner ?? words.noOwner}</dd>
        </dl>
      </div>
    </div>
  );
}

function OwnParts({ bot }: { readonly bot: BotView }) {
  const streams = useBotStreams(bot.userId);
  return (
    <>
      <BotStreams bot={bot} streams={streams} />
      <BotKey bot={bot} stream={streams.inside?.[0]?.name} />
    </>
  );
}

type OpenDialog = 'edit' | 'give' | 'deactivate' | 'reactivate';

interface ActionsProps {
  readonly bot: BotView;
  readonly administers: boolean;
  readonly isOwn: boolean;
}

function Actions({ bot, administers, isOwn }: ActionsProps) {
  const words = useBotsWords();
  const [open, setOpen] = useState<OpenDialog>();
  const props = { bot, onClose: () => setOpen(undefined) };
  const isManaged = isOwn || administers;
  return (
    <div className={styles['actions']}>
      {isManaged && bot.isActive && (
        <Button aria-haspopup="dialog" onClick={() => setOpen('edit')}>
          <Icon of={Pencil} size={16} />
          {words.edit}
        </Button>
      )}
      {administers && (
        <Button aria-haspopup="dialog" onClick={() => setOpen('give')}>
          <Icon of={UserRound} size={16} />
          {words.give}
        </Button>
      )}
      {isManaged && bot.isActive && (
        <Button variant="danger" aria-haspopup="dialog" onClick={() => setOpen('deactivate')}>
          <Icon of={Ban} size={16} />
          {words.deactivate}
        </Button>
      )}
      {administers && !bot.isActive && <Reactivation bot={bot} />}
      {open === 'edit' && <EditBotForm {...props} />}
      {open === 'give' && <Gift {...props} />}
      {open === 'deactivate' && <Deactivation {...props} />}
    </div>
  );
}

interface FormProps {
  readonly bot: BotView;
  readonly onClose: () => void;
}

/** Makes one call about the bot. A success is shown as a toast. */
function useBotCall(done: string, onDone: () => void = () => undefined) {
  const model = useCommands();
  const toast = useToast();
  const failureText = useBotFailure();
  const { busy, failure, submit } = useSubmission();
  const act = async (call: (own: OwnBots) => Promise<Failure | undefined>) => {
    if (!(await submit(() => model.account(call)))) return;
    toast({ text: done, tone: 'note' });
    onDone();
  };
  return { busy, failure: failure && failureText(failure), act: (call: Parameters<typeof act>[0]) => void act(call) };
}

function Deactivation({ bot, onClose }: FormProps) {
  const words = useBotsWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useBotFailure();
  const deactivate = async () => {
    const failed = await model.account((own) => own.deactivateBot(bot.userId));
    if (failed) return failed;
    toast({ text: words.deactivated(bot.fullName), tone: 'note' });
    onClose();
    return undefined;
  };
  return (
    <ConfirmDialog
      heading={words.deactivateHeading(bot.fullName)}
      danger
      careful
      closeLabel={words.cancel}
      submitLabel={words.deactivate}
      busyLabel={words.deactivating}
      failureText={failureText}
      act={deactivate}
      onClose={onClose}
    >
      <p>{words.deactivateQuestion}</p>
    </ConfirmDialog>
  );
}

function Reactivation({ bot }: { readonly bot: BotView }) {
  const words = useBotsWords();
  const { busy, failure, act } = useBotCall(words.reactivated(bot.fullName));
  return (
    <>
      <Button aria-disabled={busy} onClick={() => act((own) => own.reactivateBot(bot.userId))}>
        <Icon of={Undo2} size={16} />
        {words.reactivate}
      </Button>
      {failure !== undefined && (
        <p className={styles['failure']} role="alert">
          {failure}
        </p>
      )}
    </>
  );
}

function Gift({ bot, onClose }: FormProps) {
  const words = useBotsWords();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { busy, failure, act } = useBotCall(words.given(bot.fullName), onClose);
  const people = useModel(selectPeople);
  // Neither guests nor bots own bots.
  const excluded = useMemo(
    () => people.filter(({ userId, isBot, isGuest }) => isBot || isGuest || userId === bot.ownerId).map(({ userId }) => userId),
    [people, bot.ownerId],
  );
  const sections = useMemberSections(excluded);
  const [ownerId] = chosen;
  return (
    <DialogForm
      tall
      heading={words.giveHeading(bot.fullName)}
      holds={chosen.length > 0}
      failure={failure}
      closeLabel={words.cancel}
      submitLabel={busy ? words.giving : words.give}
      busy={busy}
      onClose={onClose}
      onSubmit={() => (ownerId === undefined ? field.current?.focus() : act((own) => own.giveBot(bot.userId, ownerId)))}
    >
      <p className={styles['advice']}>{words.giveAdvice}</p>
      <MemberPicker
        field={field}
        label={words.newOwner}
        sections={sections}
        chosen={chosen}
        onChoose={(ids) => setChosen(ids.slice(-1))}
      />
    </DialogForm>
  );
}
