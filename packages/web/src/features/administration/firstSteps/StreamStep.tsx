import { maxStreamNameLength } from '@engawa/protocol';
import type { AdministeredStreams } from '@engawa/protocol/administration';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useSubmission } from '../../../hooks/submission.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useFirstStepsWords } from '../../../i18n/firstSteps.ts';
import { listStreams } from '../calls.ts';
import { useDraftStore } from '../draftStore.ts';
import { nameComplaint } from '../nameComplaint.ts';
import { useQuery } from '../../../hooks/query.ts';
import { AddForm } from './AddForm.tsx';
import { changeDraft, firstStepStore } from './draft.ts';
import styles from './FirstSteps.module.css';

const firstPage = () => listStreams({ search: '' });

export function StreamStep({ onChanged }: { readonly onChanged: () => void }) {
  const all = useAdministrationWords();
  const words = useFirstStepsWords().streams;
  const model = useCommands();
  const toast = useToast();
  const { submit, ...submission } = useSubmission();
  const { stream: typed } = useDraftStore(firstStepStore);
  const { answer, reload } = useQuery<AdministeredStreams>(firstPage);
  const groups = answer?.streams.filter(({ departmentCd, is_archived: isArchived }) => departmentCd === null && !isArchived);

  const create = async () => {
    const made = await model.createGroup(typed.trim(), []);
    if (typeof made === 'object') return made;
    if (firstStepStore.get().stream === typed) changeDraft({ stream: '' });
    toast({ text: words.made(typed.trim()), tone: 'note' });
    reload();
    onChanged();
    return undefined;
  };

  return (
    <>
      <p className={styles['label']}>{words.now}</p>
      {groups?.length === 0 && <p className={styles['note']}>{words.none}</p>}
      {groups && groups.length > 0 && (
        <ul className={styles['tree']} aria-label={words.now}>
          {groups.map(({ stream_id: id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
      <AddForm
        label={words.name}
        placeholder={words.example}
        typed={typed}
        most={maxStreamNameLength}
        complaint={nameComplaint(typed, maxStreamNameLength, all)}
        submission={submission}
        onType={(stream) => changeDraft({ stream })}
        onAdd={() => void submit(create)}
      />
      <p className={styles['note']}>{words.advice}</p>
    </>
  );
}
