import { useState, type ReactNode } from 'react';
import { Lazily } from '../components/Lazily.tsx';
import { onDemand } from '../components/onDemand.ts';
import { useToast } from '../components/primitives/Toasts.tsx';
import { MemberCardProvider } from '../hooks/memberCard.ts';
import { useCommands, useModel } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { addressOfDirect, addressOfStream } from './route.ts';
import { selectMe } from '../model/people/selectors.ts';

const cardPart = onDemand(() => import('../features/members/MemberCard.tsx'));
const profilePart = onDemand(() => import('../features/settings/ProfileDialog.tsx'));

type Shown = { readonly userId: number; readonly beside: DOMRect } | 'profile' | undefined;

/** Opens the card of whose face or name is pressed, wherever that stands; fetched when somebody is about to. */
export function MemberCards({ children }: { readonly children: ReactNode }) {
  const words = useWords().memberCard;
  const model = useCommands();
  const toast = useToast();
  const me = useModel(selectMe);
  const [shown, setShown] = useState<Shown>();
  const [slot] = useState(() => ({
    preload: cardPart.preload,
    open: (userId: number, from: Element) => setShown({ userId, beside: from.getBoundingClientRect() }),
  }));
  const close = () => setShown(undefined);
  const fail = () => {
    toast({ text: words.failed, tone: 'alert' });
    close();
  };
  const editProfile = () => {
    model.loadProfile();
    setShown('profile');
  };

  return (
    <MemberCardProvider value={slot}>
      {children}
      {shown === 'profile' && me && (
        <Lazily part={profilePart} onFail={fail}>
          {({ ProfileDialog }) => <ProfileDialog me={me} onClose={close} />}
        </Lazily>
      )}
      {shown !== undefined && shown !== 'profile' && (
        <Lazily part={cardPart} onFail={fail}>
          {({ MemberCard }) => (
            <MemberCard
              {...shown}
              addressOfStream={addressOfStream}
              addressOfDirect={(userId) => addressOfDirect([userId])}
              onEditProfile={editProfile}
              onClose={close}
            />
          )}
        </Lazily>
      )}
    </MemberCardProvider>
  );
}
