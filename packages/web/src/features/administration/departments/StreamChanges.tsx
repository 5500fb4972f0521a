import { useAdministrationWords } from '../../../i18n/administration.ts';
import type { StreamChange } from './departmentModel.ts';
import list from '../List.module.css';
import styles from './StreamChanges.module.css';

export function StreamChanges({ changes }: { readonly changes: readonly StreamChange[] }) {
  const words = useAdministrationWords().departments;
  if (changes.length === 0) return <p className={list['none']}>{words.stays}</p>;
  return (
    <ul className={styles['changes']}>
      {changes.map(({ code, name, joins, leaves }) => (
        <li key={code}>
          {joins.length > 0 && <span data-how="joins">{words.joins(name, joins.length)}</span>}
          {leaves.length > 0 && <span data-how="leaves">{words.leaves(name, leaves.length)}</span>}
        </li>
      ))}
    </ul>
  );
}
