import { useState } from 'react';
import { useCommands, useModel } from '../../hooks/model.ts';
import { createSearching } from './searching.ts';
import { SearchPanel, type SearchPanelProps } from './SearchPanel.tsx';
import { selectCurrent } from '../../model/timeline/state.ts';

export interface SearchProps extends Omit<SearchPanelProps, 'search'> {
  readonly open: boolean;
}

function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

export function Search({ open, ...props }: SearchProps) {
  const { search: find } = useCommands();
  const conversation = useModel(selectCurrent);
  const [search] = useState(() => createSearching({ conversation, find, after }));
  return open && <SearchPanel {...props} search={search} />;
}
