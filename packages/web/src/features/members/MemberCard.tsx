import { useRef } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import button from '../../components/primitives/Button.module.css';
import { classes } from '../../components/classes.ts';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { BotMark } from '../../components/BotMark.tsx';
import { Face } from '../../components/Face.tsx';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { Copy, Icon, MessageSquare, Pencil, Phone, Video } from '../../components/icons.ts';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { useCopy } from '../../hooks/copy.ts';
import { usePresenceText } from '../../hooks/presence.ts';
import { useMinute, useTimes, useZone } from '../../hooks/times.ts';
import { useMessageToolsWords } from '../../i18n/messageTools.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useMembersWords } from '../../i18n/members.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { type MemberDepartment, type MemberView, selectMember } from '../../model/people/memberView.ts';
import { selectMe, selectPresence, selectStatus } from '../../model/people/selectors.ts';
import { localTimeAt } from './localTime.ts';
import styles from './MemberCard.module.css';
import { usePlaceBeside } from './place.ts';
import { selectStreamOf } from '../../model/streams/departmentStream.ts';
import { useOpenCall } from '../../hooks/calls.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import type { CallKind } from '../../model/calls/ownCall.ts';
import { directOf } from '../../model/streams/conversation.ts';

export interface MemberCardProps {
  readonly userId: number;
  readonly beside: DOMRect | undefined;
  readonly addressOfStream: (streamId: number) => string;
  readonly addressOfDirect: (userId: number) => string;
  readonly onEditProfile: () => void;
  readonly onClose: () => void;
}

/** The profile of a member with the ways to reach them. Withheld fields are left out. */
export function MemberCard(props: MemberCardProps) {
  const words = useMembersWords().card;
  const { userId, beside, onClose } = props;
  const member = useModel(selectMember, userId);
  const mark = useRef<HTMLSpanElement>(null);
  usePlaceBeside(mark, beside);
  if (!member) {
    return (
      <Dialog heading={words.heading} aside onClose={onClose}>
        <span ref={mark} hidden />
        <div className={styles['card']}>
          <h3>{words.unseen}</h3>
          <p className={styles['gone']}>{words.unseenAdvice}</p>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog heading={words.heading} aside onClose={onClose}>
      <span ref={mark} hidden />
      <div className={styles['card']} ref={scrollableByKeyboard}>
        <MemberHeading member={member} />
        <Facts member={member} addressOfStream={props.addressOfStream} onLeave={onClose} />
      </div>
      <ContactActions member={member} {...props} />
    </Dialog>
  );
}

function MemberHeading({ member }: { readonly member: MemberView }) {
  const words = useMembersWords().card;
  const { userId, fullName, reading, title, avatarUrl, isActive, isGuest } = member;
  return (
    <div className={styles['who']}>
      <Face id={userId} name={fullName} picture={avatarUrl} size="profile" showsPresence={isActive} />
      <div className={styles['names']}>
        {reading !== '' && <p className={styles['reading']}>{reading}</p>}
        <h3>
          {fullName}
          <BotMark userId={userId} />
        </h3>
        {title !== '' && <p className={styles['title']}>{title}</p>}
        {isGuest && <p className={styles['title']}>{words.guest}</p>}
        <Owner botId={userId} />
        {isActive ? <PresenceAndStatus userId={userId} /> : <p className={styles['gone']}>{words.deactivated}</p>}
      </div>
    </div>
  );
}

/** Guests do not learn who owns a bot. */
function Owner({ botId }: { readonly botId: number }) {
  const words = useMembersWords().card;
  const name = useModel(({ users }) => users.get(users.get(botId)?.bot_owner_id ?? 0)?.full_name);
  return name !== undefined && <p className={styles['title']}>{words.ownedBy(name)}</p>;
}

/** R2.19, R2.20.2, R2.25.2: the member's presence, or the time of the last presence, and their status. */
function PresenceAndStatus({ userId }: { readonly userId: number }) {
  const words = useWords();
  const card = useMembersWords().card;
  const times = useTimes();
  const status = useModel(selectStatus, userId);
  const kind = useModel(selectPresence, userId)?.kind;
  const presence = usePresenceText(userId);
  return (
    <>
      {presence !== undefined && (
        <p className={styles['presence']} data-kind={kind}>
          {presence}
        </p>
      )}
      {status && (
        <p className={styles['status']} data-busy={status.busy || undefined}>
          <span>{card.status(status.busy ? words.memberCard.busy : '', status.text)}</span>
          {status.until !== undefined && <small>{card.until(times.recent(status.until))}</small>}
        </p>
      )}
    </>
  );
}

interface FactsProps {
  readonly member: MemberView;
  readonly addressOfStream: (streamId: number) => string;
  readonly onLeave: () => void;
}

function Facts({ member: { email, departments, timezone }, addressOfStream, onLeave }: FactsProps) {
  const all = useWords();
  const { notCopied } = useMessageToolsWords();
  const words = useMembersWords().card;
  const { email: emailLabel } = useSettingsWords().page;
  const localTime = localTimeAt(all.tag, timezone, useMinute(), useZone());
  const copy = useCopy();
  const said = { copied: words.emailCopied, notCopied: notCopied(email) };
  return (
    <dl className={styles['facts']}>
      {departments.length > 0 && (
        <>
          <dt>{words.departments}</dt>
          <dd>
            <ul>
              {departments.map((each) => (
                <li key={each.department.departmentCd}>
                  <Department {...each} addressOfStream={addressOfStream} onLeave={onLeave} />
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
      {email !== '' && (
        <>
          <dt>{emailLabel}</dt>
          <dd className={styles['email']}>
            <span>{email}</span>
            <IconButton name={words.copyEmail} icon={Copy} onClick={() => copy(email, said)} />
          </dd>
        </>
      )}
      <dt>{words.localTime}</dt>
      <dd>
        <time>{localTime.clock}</time>
        {localTime.zone !== undefined && <span className={styles['zone']}> {localTime.zone}</span>}
      </dd>
    </dl>
  );
}

type DepartmentProps = MemberDepartment & {
  readonly addressOfStream: (streamId: number) => string;
  readonly onLeave: () => void;
};

/** A link to the stream of the department if the own member belongs to that stream. */
function Department({ department, isConcurrent, addressOfStream, onLeave }: DepartmentProps) {
  const words = useMembersWords().card;
  const streamId = useModel(selectStreamOf)(department);
  const { displayName } = department;
  return (
    <>
      {streamId === undefined ? (
        displayName
      ) : (
        <a href={addressOfStream(streamId)} onClick={onLeave}>
          {displayName}
        </a>
      )}{' '}
      {isConcurrent && (
        <abbr className={styles['concurrent']} title={words.concurrentPost}>
          {words.concurrent}
        </abbr>
      )}
    </>
  );
}

type WaysProps = Pick<MemberCardProps, 'addressOfDirect' | 'onEditProfile' | 'onClose'> & {
  readonly member: MemberView;
};

function ContactActions({ member: { userId, isActive, isBot }, addressOfDirect, onEditProfile, onClose }: WaysProps) {
  const words = useWords();
  const { direct } = useMembersWords().card;
  const { editProfile } = useSettingsWords().page;
  const { session } = useCommands();
  const openCall = useOpenCall();
  const me = useModel(selectMe)?.userId;
  const isMe = me === userId;
  const call = (kind: CallKind) => () => {
    onClose();
    openCall(directOf(me === undefined ? [userId] : [me, userId]), kind);
  };
  if (!isActive) return null;
  return (
    <div className={styles['ways']}>
      {isMe ? (
        <Button variant="primary" className={styles['way']} onClick={onEditProfile}>
          <Icon of={Pencil} size={16} strokeWidth={1.9} />
          {editProfile}
        </Button>
      ) : (
        <>
          <a
            className={classes(button['button'], button['primary'], button['large'], styles['way'])}
            href={addressOfDirect(userId)}
            onClick={onClose}
          >
            <Icon of={MessageSquare} size={16} strokeWidth={1.9} />
            {direct}
          </a>
          {session.calls && !isBot && (
            <>
              <IconButton name={words.streamTools.audioCall} icon={Phone} onClick={call('audio')} />
              <IconButton name={words.streamTools.videoCall} icon={Video} onClick={call('video')} />
            </>
          )}
        </>
      )}
    </div>
  );
}
