import type { ReactNode } from 'react';
import { useModel } from '../../hooks/model.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import type { BotView } from '../../model/people/bots.ts';
import { selectName } from '../../model/people/selectors.ts';
import { Avatar } from '../Avatar.tsx';
import { ChevronRight, Icon } from '../icons.ts';
import { EmptyState } from '../primitives/EmptyState.tsx';
import { ListRow } from '../primitives/ListRow.tsx';
import styles from './Bots.module.css';

interface BotListProps {
  readonly bots: readonly BotView[];
  readonly showsOwner?: boolean;
  readonly empty: ReactNode;
  readonly onOpen: (userId: number) => void;
}

export function BotList({ bots, showsOwner = false, empty, onOpen }: BotListProps) {
  const words = useBotsWords();
  if (bots.length === 0) return empty;
  return (
    <ul className={styles['list']} aria-label={words.list}>
      {bots.map((bot) => (
        <li key={bot.userId} data-inactive={!bot.isActive}>
          <ListRow className={styles['row']} aria-haspopup="dialog" onClick={() => onOpen(bot.userId)}>
            <Avatar id={bot.userId} name={bot.fullName} picture={bot.avatarUrl} size="list" />
            <span className={styles['what']}>
              <span className={styles['name']}>
                {bot.fullName}
                {!bot.isActive && <em className={styles['off']}>{words.inactive}</em>}
              </span>
              <small>{bot.email}</small>
              {showsOwner && <OwnerName ownerId={bot.ownerId} />}
            </span>
            <Icon of={ChevronRight} size={16} />
          </ListRow>
        </li>
      ))}
    </ul>
  );
}

function OwnerName({ ownerId }: { readonly ownerId: number | undefined }) {
  const words = useBotsWords();
  const name = useModel(selectName, ownerId ?? 0);
  return <small>{`${words.owner}: ${name ?? words.noOwner}`}</small>;
}

export function NoBots() {
  const words = useBotsWords();
  return <EmptyState heading={words.none}>{words.noneAdvice}</EmptyState>;
}
