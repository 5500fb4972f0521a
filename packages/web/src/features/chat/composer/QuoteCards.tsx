import { Icon, Quote, X } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { useModel } from '../../../hooks/model.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { quoteTime, selectQuoteAuthor } from '../message/quoteAuthor.ts';
import styles from './Composer.module.css';
import type { LeadingQuote } from './composedText.ts';
import { quotedText } from './useComposedText.ts';

interface QuoteCardsProps {
  readonly quotes: readonly LeadingQuote[];
  readonly onRemove: (quote: LeadingQuote) => void;
}

/** R2.14: the quotes at the beginning of a draft, above the field. */
export function QuoteCards({ quotes, onRemove }: QuoteCardsProps) {
  const words = useComposerWords();
  if (quotes.length === 0) return null;
  return (
    <ul className={styles['quotes']} aria-label={words.quotes}>
      {quotes.map((quote, index) => (
        <QuoteCard key={index} quote={quote} onRemove={() => onRemove(quote)} />
      ))}
    </ul>
  );
}

function QuoteCard({ quote: { raw, card }, onRemove }: { readonly quote: LeadingQuote; readonly onRemove: () => void }) {
  const words = useComposerWords();
  const author = useModel(selectQuoteAuthor, card);
  return (
    <li className={styles['quote']}>
      <Icon of={Quote} size={16} strokeWidth={1.75} />
      <div>
        <p>
          <b>{author}</b> <small>{quoteTime(card)}</small>
        </p>
        <p className={styles['excerpt']}>{quotedText(raw)}</p>
      </div>
      <IconButton name={words.removeQuote(author)} icon={X} size="small" tooltip="none" onClick={onRemove} />
    </li>
  );
}
