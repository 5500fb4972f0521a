import { useEffect, useState } from 'react';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { FailureState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSettingsWords } from '../../i18n/settings.ts';
import { type Me, selectLocation, selectProfileFailure } from '../../model/people/selectors.ts';

const fetchForm = () => import('./ProfileForm.tsx');
type Form = Awaited<ReturnType<typeof fetchForm>>['ProfileForm'];

/** Fetches what the dialog will need. Should it fail, opening the dialog tries again and says so. */
export function preloadProfileForm(): void {
  fetchForm().catch(() => undefined);
}

/** R2.24.1. The form is fetched when it is first opened, and waits for what it begins with. */
export function ProfileDialog({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const words = useWords();
  const { editProfile } = useSettingsWords().page;
  const model = useCommands();
  const failureText = useFailureText();
  const location = useModel(selectLocation);
  const notLoaded = useModel(selectProfileFailure);
  const [Form, setForm] = useState<Form>();
  const [notFetched, setNotFetched] = useState(false);

  const fetchIt = () => {
    fetchForm().then(
      ({ ProfileForm }) => setForm(() => ProfileForm),
      () => setNotFetched(true),
    );
  };
  useEffect(fetchIt, []);

  if (Form && location !== undefined) return <Form me={me} location={location} onClose={onClose} />;
  const failure = notFetched ? ({ kind: 'network' } as const) : notLoaded;
  const again = () => {
    if (notFetched) fetchIt();
    setNotFetched(false);
    if (location === undefined) model.loadProfile();
  };
  return (
    <Dialog heading={editProfile} onClose={onClose}>
      {failure ? (
        <FailureState text={failureText(failure)} again={words.again} onAgain={again} />
      ) : (
        <Skeleton rows={4} label={words.loading} />
      )}
    </Dialog>
  );
}
