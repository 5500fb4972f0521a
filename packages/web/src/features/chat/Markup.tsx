import { Fragment, memo } from 'react';
import { scrollableByKeyboard } from '../../components/scrollable.ts';
import { parseMarkup, type Block, type Inline } from './markup.ts';
import styles from './Markup.module.css';

/** A message's text as elements (R5.3). Memoised: a message is parsed once, not whenever its row renders. */
export const Markup = memo(function Markup({ source }: { readonly source: string }) {
  return parseMarkup(source).map((block, index) => <BlockView key={index} block={block} />);
});

function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'code-block') {
    return (
      <pre ref={scrollableByKeyboard} className={styles['block']}>
        <code>{block.text}</code>
      </pre>
    );
  }
  return (
    <p className={styles['paragraph']}>
      <Inlines nodes={block.children} />
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

function InlineView({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'code':
      return <code className={styles['code']}>{node.text}</code>;
    case 'link':
      return (
        <a className={styles['link']} href={node.href} target="_blank" rel="noopener noreferrer">
          {node.href}
        </a>
      );
    case 'bold':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inlines nodes={node.children} />
        </s>
      );
    case 'underline':
      return (
        <u>
          <Inlines nodes={node.children} />
        </u>
      );
  }
}
