import type { CSSProperties, ReactNode } from 'react';
import { safeHref } from '@engawa/markup';
import { type MessageCard, messageCard } from '@engawa/protocol';
import { z } from 'zod/mini';
import { classes } from '../../../components/classes.ts';
import styles from './Cards.module.css';
import { apart } from './link.ts';
import { Markup } from './Markup.tsx';

type Part = MessageCard['parts'][number];
type Field = Extract<Part, { kind: 'fields' }>['fields'][number];

interface CardsProps {
  readonly cards: readonly unknown[];
  readonly alerted: boolean;
  /** The message as text, until this file is loaded and for cards of a later version. */
  readonly children: ReactNode;
}

const known = z.array(messageCard);

/** The message of a hook. */
export function Cards({ cards, alerted, children }: CardsProps) {
  const { data } = z.safeParse(known, cards);
  if (!data) return children;
  const source = (text: string) => <Markup source={text} dialect="zulip" alerted={alerted} />;
  return data.map(({ color, parts }, index) => (
    <div key={index} className={styles['card']} style={color === undefined ? undefined : barOf(color)}>
      {parts.map((part, at) => (
        <PartView key={at} part={part} source={source} />
      ))}
    </div>
  ));
}

const barOf = (color: string): CSSProperties => ({ borderInlineStart: `4px solid ${color}`, paddingInlineStart: 11 });

type Source = (text: string) => ReactNode;

function PartView({ part, source }: { readonly part: Part; readonly source: Source }) {
  switch (part.kind) {
    case 'title':
      return <Title {...part} />;
    case 'text':
      return <div>{source(part.text)}</div>;
    case 'note':
      return <div className={styles['note']}>{source(part.text)}</div>;
    case 'fields':
      return (
        <dl className={styles['fields']}>
          {part.fields.map((field, index) => (
            <FieldView key={index} {...field} source={source} />
          ))}
        </dl>
      );
    case 'divider':
      return <hr className={styles['divider']} />;
  }
}

/** The server accepts only safe addresses; what a browser opens is checked here again. */
function Title({ text, url }: { readonly text: string; readonly url?: string | undefined }) {
  const href = url === undefined ? undefined : safeHref(url);
  return (
    <p className={styles['title']}>
      {href === undefined ? (
        text
      ) : (
        <a href={href} {...apart}>
          {text}
        </a>
      )}
    </p>
  );
}

function FieldView({ title, value, short, source }: Field & { readonly source: Source }) {
  return (
    <div className={classes(!short && styles['wide'])}>
      {title !== '' && <dt>{title}</dt>}
      <dd>{source(value)}</dd>
    </div>
  );
}
