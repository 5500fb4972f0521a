import type { SearchPanelProps } from './SearchPanel.tsx';
import type { Row } from './sections.ts';

export function takeRow(
  row: Row,
  {
    search,
    isPicking,
    remember,
    onRefill,
    onGo,
    onClose,
  }: Omit<SearchPanelProps, 'addressOf'> & {
    readonly isPicking: boolean;
    readonly remember: (query: string) => void;
    readonly onRefill: (query: string | undefined) => void;
  },
): void {
  const { query } = search.state().conditions;
  switch (row.kind) {
    case 'recent':
      search.change({ query: row.query });
      search.hurry();
      onRefill(row.query);
      break;
    case 'member':
      if (!isPicking) remember(query);
      search.change({ senderId: row.member?.userId, ...(isPicking ? {} : { query: '' }) });
      onRefill(isPicking ? undefined : '');
      break;
    case 'stream':
      remember(query);
      // The query was only needed to find the stream.
      search.change({ query: '' });
      onClose();
      onGo(row.stream.streamId);
      break;
    case 'hit':
      remember(query);
      search.keepPosition({ active: row.key });
      onClose();
      onGo(row.hit.conversation, row.hit.messageId);
      break;
  }
}
