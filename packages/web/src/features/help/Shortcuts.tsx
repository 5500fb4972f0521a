import { Fragment } from 'react';
import { useHelpWords } from '../../i18n/help.ts';
import styles from './Help.module.css';
import { shortcutGroups, type Key } from './shortcuts.ts';
import { selectSettings } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';

export function Shortcuts() {
  const words = useHelpWords().shortcuts;
  const { enter_sends: enterSends = true } = useModel(selectSettings);
  const names: Readonly<Partial<Record<Key, string>>> = words.keys;
  return (
    <>
      <p>{words.intro}</p>
      {shortcutGroups(enterSends).map(({ id, shortcuts }) => (
        <section key={id}>
          <h3 id={`shortcuts-${id}`}>{words.groups[id]}</h3>
          <dl className={styles['keys']}>
            {shortcuts.map((shortcut) => (
              <div key={shortcut.id} data-shortcut={shortcut.id}>
                <dt>{words.names[shortcut.id]}</dt>
                <dd>
                  {shortcut.ways.map((way, index) => (
                    <Fragment key={way.join()}>
                      {index > 0 && <span>{words.or}</span>}
                      {way.map((key) => (
                        <kbd key={key}>{names[key] ?? key}</kbd>
                      ))}
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}
