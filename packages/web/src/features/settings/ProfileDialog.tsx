import { Dialog } from '../../components/primitives/Dialog.tsx';
import { FailureState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSettingsWords } from '../../i18n/settings.ts';
import { type Me, selectLocation, selectProfileFailure } from '../../model/people/selectors.ts';
import { ProfileForm } from './ProfileForm.tsx';

/** R2.24.1: shows the form once the profile is loaded. */
export function ProfileDialog({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const words = useWords();
  const { editProfile } = useSettingsWords().page;
  const model = useCommands();
  const failureText = useFailureText();
  const location = useModel(selectLocation);
  const failure = useModel(selectProfileFailure);

  if (location !== undefined) return <ProfileForm me={me} location={location} onClose={onClose} />;
  return (
    <Dialog heading={editProfile} onClose={onClose}>
      {failure ? (
        <FailureState text={failureText(failure)} again={words.again} onAgain={() => model.loadProfile()} />
      ) : (
        <Skeleton rows={4} label={words.loading} />
      )}
    </Dialog>
  );
}
