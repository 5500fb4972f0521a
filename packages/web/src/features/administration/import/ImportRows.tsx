import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import { useImportWords } from '../../../i18n/import.ts';
import styles from './Import.module.css';
import { type Draft, placed } from './importDraft.ts';

const mostShown = 20;

export function ImportRows({ draft }: { readonly draft: Draft }) {
  const { file: words, faults: columnWords } = useImportWords();
  const rows = draft.rows.slice(0, mostShown);
  const heading = draft.rows.length > rows.length ? words.contents(rows.length) : words.contentsAll;
  return (
    <section className={styles['card']} aria-labelledby="import-rows">
      <h3 id="import-rows">{heading}</h3>
      <div className={styles['table']} ref={scrollableByKeyboard}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              {placed(draft.header).map(({ at, text }) => (
                <th key={at} scope="col">
                  {text || columnWords.extra(at + 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, cells }) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                {placed(cells).map(({ at, text }) => (
                  <td key={at}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
