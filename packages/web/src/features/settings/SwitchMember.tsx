import { useState } from 'react';
import type { Candidate, Session } from '@engawa/protocol/product';
import { CandidatePicker } from '../../components/CandidatePicker.tsx';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Failure } from '../../model/connection/failure.ts';

interface SwitchMemberProps {
  readonly session: Session;
  readonly onSwitch: (email: string) => Promise<Failure | undefined>;
  readonly onClose: () => void;
}

/** R1.5: signs in as another member of the demo organisation. */
export function SwitchMember({ session, onSwitch, onClose }: SwitchMemberProps) {
  const words = useSettingsWords().page;
  const showFailure = useFailureToast();
  const [busy, setBusy] = useState(false);

  const pick = async (candidate: Candidate) => {
    setBusy(true);
    const failure = await onSwitch(candidate.email);
    setBusy(false);
    onClose();
    showFailure(failure);
  };

  return (
    <Dialog heading={words.switchMember} onClose={onClose}>
      <CandidatePicker
        candidates={session.candidates}
        current={session.member?.email}
        busy={busy}
        onPick={(candidate) => void pick(candidate)}
      />
    </Dialog>
  );
}
