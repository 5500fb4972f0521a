import type { Inline, QuotingBlock } from '@engawa/markup';
import type { ComponentType } from 'react';
import { useBlocksWords } from '../../../i18n/blocks.ts';
import styles from './ZulipBlockView.module.css';

type BlockOf<Kind extends QuotingBlock['kind']> = Extract<QuotingBlock, { kind: Kind }>;

export interface ZulipBlockProps {
  readonly block: BlockOf<'heading' | 'math-block' | 'rule' | 'list' | 'table' | 'spoiler'>;
  readonly Blocks: ComponentType<{ readonly blocks: readonly QuotingBlock[] }>;
  readonly Inlines: ComponentType<{ readonly nodes: readonly Inline[] }>;
}

/** A block that only Zulip's markup has. */
export function ZulipBlockView({ block, Blocks, Inlines }: ZulipBlockProps) {
  const words = useBlocksWords();
  switch (block.kind) {
    case 'heading':
      return (
        <p className={styles['heading']} data-level={block.level}>
          <Inlines nodes={block.children} />
        </p>
      );
    case 'math-block':
      return <pre className={styles['math']}>{block.text}</pre>;
    case 'rule':
      return <hr className={styles['rule']} />;
    case 'list': {
      const Tag = block.start === undefined ? 'ul' : 'ol';
      return (
        <Tag className={styles['list']} start={block.start}>
          {block.items.map((item, index) => (
            <li key={index}>
              <Blocks blocks={item} />
            </li>
          ))}
        </Tag>
      );
    }
    case 'table':
      return (
        <div className={styles['table']}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    <Inlines nodes={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, number) => (
                <tr key={number}>
                  {row.map((cell, index) => (
                    <td key={index}>
                      <Inlines nodes={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'spoiler':
      return (
        <details className={styles['spoiler']}>
          <summary>{block.title.length > 0 ? <Inlines nodes={block.title} /> : words.spoiler}</summary>
          <Blocks blocks={block.children} />
        </details>
      );
  }
}
