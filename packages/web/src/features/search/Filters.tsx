import { PlainButton } from '../../components/primitives/Button.tsx';
import { classes } from '../../components/classes.ts';
import { FileText, Icon, UserRound, X } from '../../components/icons.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSearchWords } from '../../i18n/search.ts';
import { isNothing, nothing, type SearchConditions } from '../../model/timeline/search.ts';
import styles from './Filters.module.css';
import type { Search } from './searching.ts';
import type { MemberWithDepartments } from './sections.ts';
import { selectCurrent } from '../../model/timeline/state.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';

interface FiltersProps {
  readonly search: Search;
  readonly conditions: SearchConditions;
  readonly members: readonly MemberWithDepartments[];
  readonly picking: boolean;
  readonly onPick: () => void;
}

export function Filters({ search, conditions, members, picking, onPick }: FiltersProps) {
  const words = useSearchWords();
  const model = useCommands();
  const current = useModel(selectCurrent);
  const { senderId, from, to, hasFile } = conditions;
  const sender = members.find(({ userId }) => userId === senderId);
  const places = [...new Set([conditions.conversation, current])].flatMap((key) =>
    key === undefined ? [] : (selectConversation(model.state(), key) ?? []),
  );
  const filtered = !isNothing({ ...conditions, query: '' });

  return (
    <div className={styles['filters']}>
      <fieldset className={styles['scope']} aria-label={words.scope}>
        {places.map(({ key, name }) => (
          <Scope
            key={key}
            name={words.here(name)}
            chosen={key === conditions.conversation}
            onChoose={() => search.change({ conversation: key })}
          />
        ))}
        <Scope
          name={words.everywhere}
          chosen={conditions.conversation === undefined}
          onChoose={() => search.change({ conversation: undefined })}
        />
      </fieldset>
      <PlainButton className={styles['filter']} aria-pressed={picking || senderId !== undefined} onClick={onPick}>
        <Icon of={UserRound} size={15} strokeWidth={1.75} />
        <span className={styles['name']}>{senderId === undefined ? words.sender : words.senderIs(sender?.fullName ?? '')}</span>
      </PlainButton>
      <PlainButton className={styles['filter']} aria-pressed={hasFile} onClick={() => search.change({ hasFile: !hasFile })}>
        <Icon of={FileText} size={15} strokeWidth={1.75} />
        {words.hasFile}
      </PlainButton>
      <span className={styles['days']}>
        <Day label={words.from} day={from} max={to} onDay={(day) => search.change({ from: day })} />
        <Day label={words.to} day={to} min={from} onDay={(day) => search.change({ to: day })} />
      </span>
      {filtered && (
        <PlainButton
          className={classes(styles['filter'], styles['clear'])}
          onClick={() => search.change({ ...nothing, query: conditions.query, conversation: conditions.conversation })}
        >
          <Icon of={X} size={15} strokeWidth={1.75} />
          {words.clear}
        </PlainButton>
      )}
    </div>
  );
}

function Scope({ name, chosen, onChoose }: { readonly name: string; readonly chosen: boolean; readonly onChoose: () => void }) {
  return (
    <label title={name}>
      <input type="radio" name="search-scope" checked={chosen} onChange={onChoose} />
      <span>{name}</span>
    </label>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onDay: (day: string | undefined) => void;
}

function Day({ label, day = '', min, max = '2999-12-31', onDay }: DayProps) {
  return (
    <label className={styles['day']}>
      {label}
      <input
        type="date"
        value={day}
        min={min}
        max={max}
        onChange={({ currentTarget }) => onDay(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
    </label>
  );
}
