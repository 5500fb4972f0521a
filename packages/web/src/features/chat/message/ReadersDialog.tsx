import { useEffect, useState } from 'react';
import { FailureState } from '../../../components/primitives/EmptyState.tsx';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { Face } from '../../../components/Face.tsx';
import { MemberButton } from '../../../components/MemberButton.tsx';
import { memberSections, type MemberSection } from '../../../components/memberSections.ts';
import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { ReadersDictionary } from '../../../i18n/readers.ja.ts';
import { useReadersWords } from '../../../i18n/readers.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import type { Readers } from '../../../model/unread/receipts.ts';
import styles from './ReadersDialog.module.css';
import { selectDepartments } from '../../../model/people/selectors.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';

export function ReadersDialog({ messageId, onClose }: { readonly messageId: number; readonly onClose: () => void }) {
  const all = useWords();
  const words = useReadersWords();
  const failureText = useFailureText();
  const { answer, ask } = useReaders(messageId);

  return (
    <Dialog heading={words.heading} onClose={onClose} tall>
      <div className={styles['readers']} ref={scrollableByKeyboard}>
        {!answer && <output className={styles['loading']}>{all.loading}</output>}
        {answer && 'kind' in answer && <FailureState text={failureText(answer)} again={all.again} onAgain={ask} />}
        {answer && !('kind' in answer) && (
          <>
            <Group heading={words.read} userIds={answer.read} whenEmpty={whenEmpty(answer, words).read} />
            {answer.unread && (
              <Group heading={words.unread} userIds={answer.unread} whenEmpty={whenEmpty(answer, words).unread} />
            )}
            {answer.withheld && answer.withheld.length > 0 && (
              <Group heading={words.withheld} userIds={answer.withheld} advice={words.withheldAdvice} />
            )}
            {!answer.unread && <p className={styles['advice']}>{words.othersUnknown}</p>}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** The text for an empty group. It claims nothing about members who do not share receipts. */
function whenEmpty({ read, unread = [], withheld = [] }: Readers, words: ReadersDictionary) {
  if (withheld.length === 0) return { read: words.nobodyRead, unread: words.nobodyUnread };
  if (read.length + unread.length === 0) return { read: words.nobodySends, unread: words.nobodySends };
  return { read: words.nobodyWhoSendsRead, unread: words.nobodyWhoSendsUnread };
}

function useReaders(messageId: number) {
  const model = useCommands();
  const [answer, setAnswer] = useState<Readers | Failure>();
  useEffect(() => {
    void model.readersOf(messageId).then(setAnswer);
  }, [model, messageId]);
  const ask = () => {
    setAnswer(undefined);
    void model.readersOf(messageId).then(setAnswer);
  };
  return { answer, ask };
}

interface GroupProps {
  readonly heading: string;
  readonly userIds: readonly number[];
  readonly advice?: string;
  readonly whenEmpty?: string;
}

function Group({ heading, userIds, advice, whenEmpty }: GroupProps) {
  const words = useReadersWords();
  const sections = useSections(userIds);
  return (
    <section className={styles['group']} aria-label={`${heading} ${words.people(userIds.length)}`}>
      <h3>
        {heading} <span>{words.people(userIds.length)}</span>
      </h3>
      {advice !== undefined && <p className={styles['advice']}>{advice}</p>}
      {userIds.length === 0 && <p className={styles['advice']}>{whenEmpty}</p>}
      {sections.map(({ key, department, members }) => (
        <div key={key} className={styles['department']}>
          <h4>{department?.name ?? words.noDepartment}</h4>
          <ul>
            {members.map(({ userId, fullName, avatarUrl }) => (
              <li key={userId}>
                <MemberButton userId={userId} name={fullName} className={styles['member']}>
                  <Face id={userId} name={fullName} picture={avatarUrl} size="message" showsPresence />
                  <span>{fullName}</span>
                </MemberButton>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function useSections(userIds: readonly number[]): readonly MemberSection[] {
  const departments = useModel(selectDepartments) ?? [];
  const wanted = new Set(userIds);
  const people = useModel(selectPeople).filter(({ userId }) => wanted.has(userId));
  const placed = new Set<number>();
  return memberSections(people, departments).flatMap((section) => {
    const members = section.members.filter(({ userId }) => !placed.has(userId));
    members.forEach(({ userId }) => placed.add(userId));
    return members.length > 0 ? [{ ...section, members }] : [];
  });
}
