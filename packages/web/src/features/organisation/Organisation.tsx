import { memo, useMemo, useState, type ReactNode } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { EmptyState, FailureState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { Panel } from '../../components/primitives/Panel.tsx';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useMatches } from '../../hooks/matching.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { DepartmentTree } from './DepartmentTree.tsx';
import { selectDepartments, selectDepartmentsFailure, selectMe } from '../../model/people/selectors.ts';
import { selectStreamOf } from '../../model/streams/departmentStream.ts';
import { filterTree } from '../../components/departmentTree.ts';

/** R2.4, R2.5: the departments of the organisation, which lead to their streams. */
export const Organisation = memo(function Organisation({
  nextStep,
  onOpen,
}: {
  /** Shown above the departments while the organisation is being set up. */
  readonly nextStep: ReactNode;
  readonly onOpen: (streamId: number) => void;
}) {
  const words = useWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const departments = useModel(selectDepartments);
  const failure = useModel(selectDepartmentsFailure);
  const me = useModel(selectMe);
  const [query, setQuery] = useState('');
  const matches = useMatches(query);
  const shown = useMemo(
    () => (query.trim() === '' ? departments : filterTree(departments ?? [], matches)),
    [departments, query, matches],
  );

  const open = (department: DepartmentNode) => {
    const streamId = selectStreamOf(model.state())(department);
    if (streamId === undefined) toast({ text: words.organisation.noAccess, tone: 'alert' });
    else onOpen(streamId);
  };

  return (
    <Panel heading={words.organisation.heading} top={<SearchField label={words.organisation.search} onQuery={setQuery} />}>
      {nextStep}
      {!departments && !failure && <Skeleton rows={9} label={words.loading} />}
      {!departments && failure && (
        <FailureState text={failureText(failure)} again={words.again} onAgain={model.reloadDepartments} />
      )}
      {departments?.length === 0 && (
        <EmptyState heading={words.organisation.none}>
          {words.organisation[me?.isGuest ? 'noneForGuest' : me?.isAdministrator ? 'noneForAdministrator' : 'noneAdvice']}
        </EmptyState>
      )}
      {departments && departments.length > 0 && shown?.length === 0 && (
        <EmptyState heading={words.noneFound}>{words.organisation.noneFoundAdvice}</EmptyState>
      )}
      {shown && shown.length > 0 && <DepartmentTree departments={shown} onOpen={open} />}
    </Panel>
  );
});
