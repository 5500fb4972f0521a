import { createContext, Fragment, memo, use } from 'react';
import { findAlertWords } from '@engawa/folding';
import { type CodeBlock, type Dialect, type Inline, type QuotingBlock, inlineText, plainText } from '@engawa/markup';
import { lazyInBackground } from '../../../components/lazyComponent.tsx';
import { MarkedText } from '../../../components/MarkedText.tsx';
import { MemberButton } from '../../../components/MemberButton.tsx';
import { useTimes } from '../../../hooks/times.ts';
import { useZulipMarkup } from '../../../hooks/zulipMarkup.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import code from './Code.module.css';
import { apart, leadsElsewhere } from './link.ts';
import styles from './Markup.module.css';
import { fitParagraph } from './paragraphWidth.ts';
import { parsed } from './parsing.ts';
import { QuotedMessage } from './QuotedMessage.tsx';
import type { ZulipBlockProps } from './ZulipBlockView.tsx';
import { selectAlertWords } from '../../../model/unread/state.ts';
import { selectPictureOfEmoji } from '../../../model/people/customEmoji.ts';
import { selectMentionedGroup, selectMentionedUser } from '../../../model/people/mentions.ts';
import { useModel } from '../../../hooks/model.ts';

/** The text of a message (R5.3). `alerted`: it contains an alert word. `callsMe`: the server flagged it as a mention. */
export const Markup = memo(function Markup({
  source,
  dialect,
  alerted,
  callsMe = false,
}: {
  readonly source: string;
  readonly dialect: Dialect;
  readonly alerted: boolean;
  readonly callsMe?: boolean;
}) {
  useZulipMarkup();
  return (
    <Alerted value={alerted}>
      <CallsMe value={callsMe}>
        {/* No key: an element that stays the same keeps the focus when the text changes or its parser is loaded. */}
        <Blocks blocks={parsed({ content: source, dialect })} />
      </CallsMe>
    </Alerted>
  );
});

const Alerted = createContext(false);
const CallsMe = createContext(false);

function Blocks({ blocks }: { readonly blocks: readonly QuotingBlock[] }) {
  return blocks.map((block, index) => <BlockView key={index} block={block} />);
}

function BlockView({ block }: { readonly block: QuotingBlock }) {
  switch (block.kind) {
    case 'paragraph':
      return <Paragraph nodes={block.children} />;
    case 'code-block':
      return <Code block={block} />;
    case 'quote':
      return (
        <blockquote className={styles['quote']}>
          <QuotedBlocks blocks={block.children} />
        </blockquote>
      );
    case 'quote-card':
      return (
        <blockquote className={styles['card']}>
          <QuotedMessage card={block} />
          <QuotedBlocks blocks={block.children} />
        </blockquote>
      );
    default:
      return <ZulipBlock block={block} Blocks={Blocks} Inlines={Inlines} />;
  }
}

/** Milliseconds */
const retryAfter = 30_000;

/** Code has its place, its name and its text before the file with its colours and its button is loaded. */
const Code = lazyInBackground<{ readonly block: CodeBlock }>(
  async () => (await import('./Code.tsx')).Code,
  retryAfter,
  ({ block: { language, text } }) => (
    <figure className={code['block']}>
      <div className={code['head']}>
        <span className={code['title']}>{language}</span>
      </div>
      <pre className={code['code']}>
        <code>{text}</code>
      </pre>
    </figure>
  ),
);

/** The blocks that only Zulip's markup has. Until their view is loaded they are plain text. */
const ZulipBlock = lazyInBackground<ZulipBlockProps>(
  async () => (await import('./ZulipBlockView.tsx')).ZulipBlockView,
  retryAfter,
  ({ block }) => <p className={styles['paragraph']}>{plainText([block])}</p>,
);
/** A mention in a quote does not notify. */
function QuotedBlocks({ blocks }: { readonly blocks: readonly QuotingBlock[] }) {
  return (
    <CallsMe value={false}>
      <Blocks blocks={blocks} />
    </CallsMe>
  );
}

function Paragraph({ nodes }: { readonly nodes: readonly Inline[] }) {
  return (
    // React calls a new function after every render, so that the width of a changed text is measured.
    <p ref={(element) => (element ? fitParagraph(element) : undefined)} className={styles['paragraph']}>
      <Inlines nodes={nodes} />
    </p>
  );
}

function Inlines({ nodes }: { readonly nodes: readonly Inline[] }) {
  return nodes.map((node, index) => (
    <Fragment key={index}>
      <InlineView node={node} />
    </Fragment>
  ));
}

const tagOf = { strong: 'strong', emphasis: 'em', strike: 's', underline: 'u' } as const;

function InlineView({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case 'text':
      return <Text text={node.text} />;
    case 'code':
      return <code className={styles['code']}>{node.text}</code>;
    case 'link':
      return (
        <a className={styles['link']} href={node.href} {...(leadsElsewhere(node.href) && apart)}>
          {node.label}
        </a>
      );
    case 'strong':
    case 'emphasis':
    case 'strike':
    case 'underline': {
      const Tag = tagOf[node.kind];
      return (
        <Tag>
          <Inlines nodes={node.children} />
        </Tag>
      );
    }
    case 'user-mention':
      return <UserMention {...node} />;
    case 'group-mention':
      return <GroupMention {...node} />;
    case 'wildcard-mention':
      return <WildcardMention {...node} />;
    case 'time':
      return <TimeView time={node.time} />;
    case 'emoji':
      return <EmojiView name={node.name} />;
    case 'math':
    case 'stream-link':
    case 'topic-link':
      return inlineText(node);
  }
}

function Text({ text }: { readonly text: string }) {
  return use(Alerted) ? <AlertedText text={text} /> : text;
}

function AlertedText({ text }: { readonly text: string }) {
  return <MarkedText text={text} ranges={findAlertWords(text, useModel(selectAlertWords))} />;
}

type Named<Kind extends Inline['kind']> = Extract<Inline, { kind: Kind }>;

function UserMention({ name, id, silent }: Named<'user-mention'>) {
  const meant = useModel(selectMentionedUser, name, id);
  if (meant) return <Mention {...meant} silent={silent} />;
  return <Text text={`@${silent ? '_' : ''}**${name}${id === undefined ? '' : `|${id}`}**`} />;
}

/** An emoji without a picture is shown as typed: Unicode emoji are characters in our texts. */
function EmojiView({ name }: { readonly name: string }) {
  const picture = useModel(selectPictureOfEmoji, name);
  const typed = `:${name}:`;
  return picture === undefined ? typed : <img className={styles['emoji']} src={picture} alt={typed} title={typed} />;
}

function GroupMention({ name, silent }: Named<'group-mention'>) {
  const meant = useModel(selectMentionedGroup, name);
  return meant ? <Mention {...meant} silent={silent} /> : <Text text={`@${silent ? '_' : ''}*${name}*`} />;
}

function WildcardMention({ silent }: Named<'wildcard-mention'>) {
  return <Mention name={useWords().mention.all} isMe silent={silent} />;
}

interface MentionProps {
  readonly name: string;
  readonly userId?: number | undefined;
  readonly isMe: boolean;
  readonly silent: boolean;
}

/** A mention of the own member is highlighted only if the server flagged it, so silent mentions are not. */
function Mention({ name, userId, isMe, silent }: MentionProps) {
  const calls = use(CallsMe) && isMe && !silent;
  const chip = (
    <span className={styles['mention']} data-me={calls || undefined}>
      {silent ? name : `@${name}`}
    </span>
  );
  if (userId === undefined) return chip;
  return (
    <MemberButton userId={userId} name={name}>
      {chip}
    </MemberButton>
  );
}

function TimeView({ time }: { readonly time: number }) {
  const times = useTimes();
  return <time dateTime={new Date(time).toISOString()}>{times.full(time / 1000)}</time>;
}
