import { useRef, useState, type KeyboardEvent } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { classes } from '../../components/classes.ts';
import { Panel, PanelNote, Skeleton } from '../../components/Panel.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { useCurrent, useModel, useStream, useStreams } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { matches } from '../../i18n/fold.ts';
import type { Preview } from '../../model/view.ts';
import styles from './Streams.module.css';

/** R2.6: the streams that I belong to. Each row is a link, so that it can be copied and opened elsewhere (R2.2). */
export function Streams({
  addressOf,
  plainText,
}: {
  readonly addressOf: (streamId: number) => string;
  /** A message's text without its marks. */
  readonly plainText: (content: string) => string;
}) {
  const words = useWords();
  const model = useModel();
  const streams = useStreams();
  const current = useCurrent();
  const list = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState('');
  const shown = streams?.filter((streamId) => matches(query, model.stream(streamId)?.name ?? ''));

  /** A shortcut between links that Tab reaches as well. */
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const index = links.findIndex((link) => link === event.currentTarget);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
  };

  return (
    <Panel heading={words.streams.heading} top={<SearchField label={words.streams.search} onQuery={setQuery} />}>
      {!streams && <Skeleton rows={8} label={words.loading} />}
      {streams?.length === 0 && <PanelNote heading={words.noRooms}>{words.streams.noneAdvice}</PanelNote>}
      {streams && streams.length > 0 && shown?.length === 0 && (
        <PanelNote heading={words.streams.noneFound}>{words.streams.noneFoundAdvice}</PanelNote>
      )}
      {shown && shown.length > 0 && (
        <ul ref={list} className={styles['list']} aria-label={words.streams.list}>
          {shown.map((streamId) => (
            <li key={streamId}>
              <StreamRow
                streamId={streamId}
                current={streamId === current}
                address={addressOf(streamId)}
                plainText={plainText}
                onKeyDown={onKeyDown}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function StreamRow({
  streamId,
  current,
  address,
  plainText,
  onKeyDown,
}: {
  readonly streamId: number;
  readonly current: boolean;
  readonly address: string;
  readonly plainText: (content: string) => string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}) {
  const words = useWords();
  const times = useTimes();
  const stream = useStream(streamId);
  if (!stream) return null;
  const { name, profile, message, time, unReadCount } = stream;
  const unread = unReadCount > 0;

  return (
    <a
      href={address}
      aria-current={current ? 'true' : undefined}
      className={classes(styles['row'], unread && styles['unread'])}
      onKeyDown={onKeyDown}
    >
      <Avatar id={streamId} name={name} picture={profile} size="list" />
      <span className={styles['name']}>{name}</span>
      {time !== undefined && (
        <time className={styles['time']} dateTime={new Date(time * 1000).toISOString()} title={times.full(time)}>
          {times.recent(time)}
        </time>
      )}
      <span className={styles['preview']}>{message && <PreviewText preview={message} plainText={plainText} />}</span>
      {unread && (
        <span className={styles['count']} title={words.unread(unReadCount)}>
          {words.inBrackets(unReadCount)}
        </span>
      )}
    </a>
  );
}

function PreviewText({
  preview,
  plainText,
}: {
  readonly preview: Preview;
  readonly plainText: (content: string) => string;
}) {
  const words = useWords();
  if (preview.kind === 'deleted') return words.messageDeleted;
  if (preview.kind === 'file') return preview.text;
  return words.streams.preview(preview.senderFullName, plainText(preview.text));
}
