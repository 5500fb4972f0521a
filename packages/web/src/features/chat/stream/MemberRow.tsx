import { BotMark } from '../../../components/BotMark.tsx';
import { Face } from '../../../components/Face.tsx';
import { MemberButton } from '../../../components/MemberButton.tsx';
import type { Member } from '../../../components/memberSections.ts';
import { useMembersWords } from '../../../i18n/members.ts';
import styles from './StreamProfile.module.css';

export function MemberRow({ member }: { readonly member: Member }) {
  const { guest } = useMembersWords().guests;
  const { userId, fullName, reading, avatarUrl, isGuest = false } = member;
  return (
    <MemberButton userId={userId} name={fullName} className={styles['member']}>
      <Face id={userId} name={fullName} picture={avatarUrl} size="message" showsPresence />
      <span>{fullName}</span>
      <BotMark userId={userId} />
      <span className={styles['reading']}>{[reading, isGuest ? guest : ''].filter(Boolean).join('\u3000')}</span>
    </MemberButton>
  );
}
