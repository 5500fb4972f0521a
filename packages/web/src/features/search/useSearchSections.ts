import { useMemo, useState } from 'react';
import { memberSections } from '../../components/memberSections.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSearchWords } from '../../i18n/search.ts';
import { browserStorage } from '../../model/browserStorage.ts';
import { selectConversation, selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';
import { selectMessage } from '../../model/outbox/selectors.ts';
import { selectDepartments } from '../../model/people/selectors.ts';
import { selectPeople } from '../../model/people/peopleList.ts';
import { isNothing, type Hit } from '../../model/timeline/search.ts';
import { forgetSearches, recentSearches, rememberSearch } from './recent.ts';
import { hitsIn, type Searching } from './searching.ts';
import { hitSections, namedSections, membersWithDepartments, recentSection, senderSections, type Section } from './sections.ts';

export function useSearchSections({ conditions, pages }: Searching, senderQuery: string | undefined) {
  const words = useSearchWords();
  const members = useMembersWithDepartments();
  const recent = useRecent();
  const named = useNamed(conditions.query, members);
  const isOpenable = useIsOpenable(pages);
  const sections = (
    senderQuery === undefined
      ? [...(isNothing(conditions) ? [recentSection(words, recent.queries)] : named), ...hitSections(words, pages, isOpenable)]
      : senderSections(words, senderQuery, members)
  ).filter(({ rows }) => rows.length > 0);
  return { sections, members, recent };
}

function useMembersWithDepartments() {
  const people = useModel(selectPeople);
  const departments = useModel(selectDepartments);
  return useMemo(() => membersWithDepartments(memberSections(people, departments ?? [])), [people, departments]);
}

function useNamed(query: string, members: ReturnType<typeof useMembersWithDepartments>): readonly Section[] {
  const words = useSearchWords();
  const model = useCommands();
  const streams = useModel(selectStreamIds);
  return useMemo(() => {
    const named = (streams ?? []).flatMap((streamId) => selectStream(model.state(), streamId) ?? []);
    return namedSections(words, query, named, members);
  }, [words, query, model, streams, members]);
}

function useRecent() {
  const memberId = useCommands().session.member?.user_id ?? 0;
  const storage = browserStorage();
  const [queries, setQueries] = useState(() => recentSearches(storage, memberId));
  return {
    queries,
    remember: (query: string) => rememberSearch(storage, memberId, query),
    forget: () => {
      forgetSearches(storage, memberId);
      setQueries([]);
    },
  };
}

/** Whether a hit can still be opened: the message was not deleted, and the member has not left the conversation. */
function useIsOpenable(pages: Parameters<typeof hitsIn>[0]): (hit: Hit) => boolean {
  const model = useCommands();
  // Renders again when the member leaves a stream.
  useModel(selectStreamIds);
  useModel((state) => hitsIn(pages).filter(({ messageId }) => selectMessage(state, messageId)?.deleted).length);
  return ({ messageId, conversation }) =>
    !selectMessage(model.state(), messageId)?.deleted && selectConversation(model.state(), conversation) !== undefined;
}
