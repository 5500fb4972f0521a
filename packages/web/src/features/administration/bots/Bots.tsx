import { useDeferredValue, useState } from 'react';
import type { OrganisationSettings } from '@engawa/protocol/administration';
import { BotDetails } from '../../../components/bots/BotDetails.tsx';
import { BotList, NoBots } from '../../../components/bots/BotList.tsx';
import styles from '../../../components/bots/Bots.module.css';
import { EmptyState, FailureState } from '../../../components/primitives/EmptyState.tsx';
import { Select } from '../../../components/primitives/Select.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useBotsWords } from '../../../i18n/bots.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { matches } from '../../../i18n/matches.ts';
import { selectBots } from '../../../model/people/bots.ts';
import { selectName } from '../../../model/people/selectors.ts';
import { changeOrganisation, readOrganisation } from '../calls.ts';
import { ListSearch } from '../PagedList.tsx';
import { Section } from '../Section.tsx';
import { useMutation } from '../../../hooks/mutation.ts';
import { useQuery } from '../../../hooks/query.ts';
import { useRefusalText } from '../useRefusalText.ts';

/** All bots of the organisation, and who creates them. */
export function Bots({ backAddress }: { readonly backAddress: string | undefined }) {
  const words = useBotsWords();
  const model = useCommands();
  const bots = useModel(selectBots);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<number>();
  const query = useDeferredValue(typed);
  const found = bots.filter(({ fullName, email, ownerId }) =>
    matches(query, fullName, email, ownerId === undefined ? '' : (selectName(model.state(), ownerId) ?? '')),
  );
  const empty = bots.length === 0 ? <NoBots /> : <EmptyState heading={words.noneFound}>{words.noneFoundAdvice}</EmptyState>;
  return (
    <Section section="bots" backAddress={backAddress} top={<ListSearch label={words.search} onQuery={setTyped} />}>
      <Policy />
      <BotList bots={found} showsOwner empty={empty} onOpen={setOpen} />
      {open !== undefined && <BotDetails userId={open} administers onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

const policies = ['everyone', 'administrators', 'nobody'] as const;

function Policy() {
  const words = useBotsWords();
  const toast = useToast();
  const refusal = useRefusalText();
  const { again } = useWords();
  const { answer, failure: unread, reload } = useQuery<OrganisationSettings>(readOrganisation);
  const { failure, act } = useMutation();
  if (!answer) return unread && <FailureState text={refusal(unread)} again={again} onAgain={reload} />;
  return (
    <div className={styles['policy']}>
      <span aria-hidden>{words.policy}</span>
      <Select
        name={words.policy}
        options={policies.map((value) => ({ value, label: words.policies[value] }))}
        chosen={answer.bot_creation}
        onChoose={(bot_creation) =>
          act(changeOrganisation({ bot_creation }), () => {
            toast({ text: words.policySaved, tone: 'note' });
            reload();
          })
        }
      />
      {failure && (
        <p className={styles['failure']} role="alert">
          {refusal(failure)}
        </p>
      )}
    </div>
  );
}
