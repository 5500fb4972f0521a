import { Avatar } from '../../components/Avatar.tsx';
import { useHelpWords } from '../../i18n/help.ts';
import styles from './Help.module.css';
import { selectMe } from '../../model/people/selectors.ts';
import { selectPeople } from '../../model/people/peopleList.ts';
import { useModel } from '../../hooks/model.ts';

export function Contact({ addressOfMember }: { readonly addressOfMember: (userId: number) => string }) {
  const words = useHelpWords().contact;
  const me = useModel(selectMe);
  const people = useModel(selectPeople);
  const administrators = people
    .filter(({ standing, isBot }) => standing !== 'member' && !isBot)
    .toSorted((one, other) => Number(other.standing === 'owner') - Number(one.standing === 'owner'));
  return (
    <>
      <p>{words.intro}</p>
      {administrators.length === 0 && <p>{words.none}</p>}
      {administrators.length > 0 && (
        <ul className={styles['people']} aria-label={words.list(administrators.length)}>
          {administrators.map(({ userId, fullName, title, standing, avatarUrl }) => (
            <li key={userId}>
              <Avatar id={userId} name={fullName} picture={avatarUrl} size="list" />
              <span className={styles['person']}>
                {fullName}
                <small>{[standing === 'owner' ? words.owner : words.administrator, title].filter(Boolean).join(' ・ ')}</small>
              </span>
              {userId === me?.userId ? (
                <span className={styles['me']}>{words.me}</span>
              ) : (
                <a href={addressOfMember(userId)} aria-label={words.writeTo(fullName)}>
                  {words.write}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <section>
        <h3>{words.tell}</h3>
        <ul className={styles['points']}>
          {words.what.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <p>{words.noPasswords}</p>
      </section>
    </>
  );
}
