import { wordsOf } from '@engawa/folding';
import { TextButton } from '../../components/primitives/Button.tsx';
import { Icon, RotateCw } from '../../components/icons.ts';
import { useFailureText } from '../../hooks/failures.ts';
import { useCapability } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSearchWords } from '../../i18n/search.ts';
import { isNothing } from '../../model/timeline/search.ts';
import { mostHits, type Search, type Searching } from './searching.ts';
import styles from './SearchStatus.module.css';

interface SearchStatusProps {
  readonly search: Search;
  readonly state: Searching;
  readonly isPicking: boolean;
  readonly isEmpty: boolean;
  readonly hits: number;
  readonly onForget: (() => void) | undefined;
}

export function SearchStatus({ search, state, isPicking, isEmpty, hits, onForget }: SearchStatusProps) {
  const words = useWords();
  const failureText = useFailureText();
  const { conditions, foundBy, next, looking, failure } = state;
  const own = useSearchWords();
  const findsParts = useCapability('substring_search');
  const mayGoOn = next !== undefined && looking === undefined && !failure && !isPicking;

  const statusText = () => {
    if (isPicking) return isEmpty ? own.nobody : '';
    if (failure) return failureText(failure);
    if (isNothing(conditions)) return isEmpty ? (findsParts ? own.advice : own.wholeWords) : '';
    if (looking !== undefined || !foundBy) return own.looking;
    if (hits >= mostHits && next !== undefined) return own.most(hits);
    if (hits > 0) return own.found(hits, next !== undefined);
    return next === undefined ? own.none : own.noneYet;
  };
  const isNone = foundBy !== undefined && looking === undefined && hits === 0 && next === undefined && !failure;

  const noneOfWholeWords = wordsOf(conditions.query).length > 0 ? own.noneOfWholeWords : own.fewerFilters;

  return (
    <div className={styles['outcome']} data-middle={isEmpty}>
      <output>{statusText()}</output>
      {isNone && !isPicking && <p className={styles['advice']}>{findsParts ? own.noneAdvice : noneOfWholeWords}</p>}
      {isNone && !isPicking && conditions.conversation !== undefined && (
        <TextButton onClick={() => search.change({ conversation: undefined })}>{own.inAll}</TextButton>
      )}
      {failure && failure.kind !== 'not-ready' && !isPicking && (
        <TextButton onClick={search.again}>
          <Icon of={RotateCw} size={16} />
          {words.again}
        </TextButton>
      )}
      {mayGoOn && hits < mostHits && <TextButton onClick={search.more}>{own.goOn}</TextButton>}
      {onForget && !isPicking && <TextButton onClick={onForget}>{own.forget}</TextButton>}
    </div>
  );
}
