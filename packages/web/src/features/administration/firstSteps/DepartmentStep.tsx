import { maxDepartmentDepth, maxDepartmentName } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { TextLink } from '../../../components/primitives/Button.tsx';
import { Select } from '../../../components/primitives/Select.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useFirstStepsWords } from '../../../i18n/firstSteps.ts';
import { makeDepartment } from '../calls.ts';
import { ChoiceRow } from '../ChoiceRow.tsx';
import { isTaken, located } from '../departments/departmentModel.ts';
import { departmentNameComplaint } from '../departments/RenameField.tsx';
import { useDraftStore } from '../draftStore.ts';
import { useMutation } from '../../../hooks/mutation.ts';
import { AddForm } from './AddForm.tsx';
import { changeDraft, firstStepStore } from './draft.ts';
import styles from './FirstSteps.module.css';

const atTop = '';

interface DepartmentStepProps {
  readonly tree: readonly DepartmentNode[];
  readonly importAddress: string;
  readonly onChanged: () => void;
}

export function DepartmentStep({ tree, importAddress, onChanged }: DepartmentStepProps) {
  const all = useAdministrationWords();
  const words = useFirstStepsWords().departments;
  const mutation = useMutation();
  const { department: typed, parent: chosen } = useDraftStore(firstStepStore);
  const rows = located(tree);
  const isOffered = chosen === atTop || rows.some(({ node }) => node.departmentCd === chosen);
  // The setup makes one department for the whole organisation, which stands above all others.
  const parent = isOffered ? chosen : tree[0]?.departmentCd;
  const above = parent === undefined || parent === atTop ? null : parent;

  const add = () =>
    mutation.act(makeDepartment({ displayName: typed.trim(), parent: above }), () => {
      // Text that the member has typed meanwhile is the next name.
      if (firstStepStore.get().department === typed) changeDraft({ department: '' });
      onChanged();
    });

  return (
    <>
      <p className={styles['label']}>{words.now}</p>
      <ul className={styles['tree']} aria-label={words.now}>
        {rows.map(({ node, path }) => (
          <li key={node.departmentCd} style={{ paddingInlineStart: `${(path.length - 1) * 20}px` }}>
            {node.displayName}
          </li>
        ))}
      </ul>
      <AddForm
        label={words.name}
        typed={typed}
        most={maxDepartmentName}
        complaint={departmentNameComplaint(typed, isTaken(tree, above, typed), all)}
        submission={mutation}
        onType={(department) => changeDraft({ department })}
        onAdd={add}
      >
        <ChoiceRow label={words.parent}>
          <Select
            name={words.parent}
            options={[
              ...rows
                .filter(({ path }) => path.length < maxDepartmentDepth)
                .map(({ node, path }) => ({
                  value: node.departmentCd,
                  label: `${'\u3000'.repeat(path.length - 1)}${node.displayName}`,
                })),
              { value: atTop, label: words.top },
            ]}
            chosen={parent ?? atTop}
            onChoose={(code) => changeDraft({ parent: code })}
          />
        </ChoiceRow>
      </AddForm>
      <TextLink href={importAddress} className={styles['import']}>
        {words.import}
      </TextLink>
      <p className={styles['note']}>{words.more}</p>
    </>
  );
}
