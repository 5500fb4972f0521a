import { useEffect, useId, useState } from 'react';
import type { CodeBlock } from '@engawa/markup';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Copy } from '../../../components/icons.ts';
import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import { useCopy } from '../../../hooks/copy.ts';
import { useBlocksWords } from '../../../i18n/blocks.ts';
import styles from './Code.module.css';
import { codeLanguageOf, type Grammar } from './codeLanguages.ts';
import type { Highlighting } from './highlighting.ts';

/** A block of code, coloured if its language is named and known (R5.3.1). Colours move no letter. */
export function Code({ block: { language: name, text } }: { readonly block: CodeBlock }) {
  const words = useBlocksWords();
  const title = useId();
  const language = codeLanguageOf(name);
  return (
    <figure className={styles['block']} aria-labelledby={title}>
      <div className={styles['head']}>
        <span id={title} className={styles['title']}>
          {language?.title ?? (name || words.code)}
        </span>
        <CopyButton text={text} />
      </div>
      <pre ref={scrollableByKeyboard} className={styles['code']}>
        <code>{language ? <Coloured key={text} grammar={language.grammar} code={text} /> : text}</code>
      </pre>
    </figure>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  const words = useBlocksWords();
  const copy = useCopy();
  const said = { copied: words.copied, notCopied: words.notCopied };
  return (
    <IconButton className={styles['copy']} name={words.copy} icon={Copy} tooltip="bottom" onClick={() => copy(text, said)} />
  );
}

/** Loaded with the first code in a known language. */
let highlighting: Highlighting | undefined;

function Coloured({ grammar, code }: { readonly grammar: Grammar; readonly code: string }) {
  const [runs, setRuns] = useState(() => highlighting?.known({ grammar, code }));

  useEffect(() => {
    if (runs) return undefined;
    const gone = new AbortController();
    const show = async () => {
      highlighting ??= (await import('./highlighting.ts')).highlighting;
      if (gone.signal.aborted) return;
      const found = await highlighting.find({ grammar, code }, gone.signal);
      if (found) setRuns(found);
    };
    // If the highlighter cannot be loaded, the code stays uncoloured.
    show().catch(() => undefined);
    return () => gone.abort();
  }, [grammar, code, runs]);

  if (!runs) return code;
  return runs.map(({ text, colour }, index) =>
    colour ? (
      <span key={index} style={{ color: `var(--code-${colour})` }}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}
