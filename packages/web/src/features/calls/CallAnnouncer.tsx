import { useState } from 'react';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import { useCallsWords } from '../../i18n/calls.ts';
import type { CallsDictionary } from '../../i18n/calls.ja.ts';
import type { Participant } from '../../model/calls/ownCall.ts';
import { useCallNames } from '../../hooks/callNames.ts';

interface CallAnnouncerProps {
  readonly participants: readonly Participant[];
  readonly notices: readonly string[];
}

/** The one polite live region of a call: who joins, leaves, mutes and shares, and what the panel says. */
export function CallAnnouncer({ participants, notices }: CallAnnouncerProps) {
  const words = useCallsWords().said;
  const nameOf = useCallNames();
  const [last, setLast] = useState({ participants, notices, said: '' });
  if (last.participants !== participants || last.notices.join() !== notices.join()) {
    const news = [
      ...changesBetween(last.participants, participants, words, nameOf),
      ...notices.filter((notice) => !last.notices.includes(notice)),
    ];
    setLast({ participants, notices, said: news.length > 0 ? news.join(' ') : last.said });
  }
  return <VisuallyHidden live>{last.said}</VisuallyHidden>;
}

export function changesBetween(
  before: readonly Participant[],
  after: readonly Participant[],
  words: CallsDictionary['said'],
  nameOf: (userId: number) => string,
): readonly string[] {
  const earlier = new Map(before.map((each) => [each.id, each]));
  const later = new Set(after.map(({ id }) => id));
  const left = before.filter(({ id, isSelf }) => !isSelf && !later.has(id)).map(({ userId }) => words.left(nameOf(userId)));
  const others = after.flatMap((each) => {
    const was = earlier.get(each.id);
    const name = nameOf(each.userId);
    if (!was) return each.isSelf ? [] : [words.joined(name)];
    const news: string[] = [];
    if (was.muted !== each.muted && !each.listenOnly) {
      if (each.isSelf) news.push(each.muted ? words.muted : words.unmuted);
      else news.push(each.muted ? words.otherMuted(name) : words.otherUnmuted(name));
    }
    if (!was.screen && each.screen && !each.isSelf) news.push(words.sharing(name));
    return news;
  });
  return [...left, ...others];
}
