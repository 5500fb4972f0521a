import { useState, type ReactNode } from 'react';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { MemberCardProvider } from '../hooks/memberCard.ts';
import { useCommands, useModel } from '../hooks/model.ts';
import type { Dictionary } from '../i18n/ja.ts';
import { addressOfDirect, addressOfStream } from '../model/streams/address.ts';
import { selectMe } from '../model/people/selectors.ts';

const failed = (words: Dictionary) => words.memberCard.failed;
const MemberCard = lazyComponent(async () => (await import('../features/members/MemberCard.tsx')).MemberCard, failed);
const ProfileDialog = lazyComponent(async () => (await import('../features/settings/ProfileDialog.tsx')).ProfileDialog, failed);

type Opened = { readonly userId: number; readonly beside: DOMRect } | 'profile' | undefined;

export function MemberCards({ children }: { readonly children: ReactNode }) {
  const model = useCommands();
  const me = useModel(selectMe);
  const [opened, setOpened] = useState<Opened>();
  const [slot] = useState(() => ({
    preload: MemberCard.preload,
    open: (userId: number, from: Element) => setOpened({ userId, beside: from.getBoundingClientRect() }),
  }));
  const close = () => setOpened(undefined);
  const editProfile = () => {
    model.loadProfile();
    setOpened('profile');
  };

  return (
    <MemberCardProvider value={slot}>
      {children}
      {opened === 'profile' && me && <ProfileDialog me={me} onClose={close} onLoadFailure={close} />}
      {opened !== undefined && opened !== 'profile' && (
        <MemberCard
          {...opened}
          addressOfStream={addressOfStream}
          addressOfDirect={(userId) => addressOfDirect([userId])}
          onEditProfile={editProfile}
          onClose={close}
          onLoadFailure={close}
        />
      )}
    </MemberCardProvider>
  );
}
