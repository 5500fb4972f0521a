import { administrationPaths } from '@engawa/protocol/administration';
import { TextLink } from '../../../components/primitives/Button.tsx';
import button from '../../../components/primitives/Button.module.css';
import { classes } from '../../../components/classes.ts';
import { Download, FileSpreadsheet, Icon } from '../../../components/icons.ts';
import { useCapability } from '../../../hooks/model.ts';
import { useImportWords } from '../../../i18n/import.ts';
import styles from './Import.module.css';
import { addressOfCsv } from './importDraft.ts';

export function ImportChoice({ busy, onChoose }: { readonly busy: boolean; readonly onChoose: (file: File) => void }) {
  const words = useImportWords().choose;
  const managesAccounts = useCapability('accounts');
  const isOffered = (column: string | undefined) => managesAccounts || !words.accountColumns.some((each) => each === column);
  const [titles = []] = words.sampleRows;
  const sample = words.sampleRows.map((row) => row.filter((_, column) => isOffered(titles[column])));
  return (
    <>
      <section className={styles['card']} aria-labelledby="import-choice">
        <h3 id="import-choice">{words.heading}</h3>
        <p className={styles['advice']}>{managesAccounts ? words.advice : words.adviceElsewhere}</p>
        <label className={styles['drop']}>
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            disabled={busy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) onChoose(file);
              // Allows choosing the same file again after it was edited.
              currentTarget.value = '';
            }}
          />
          <Icon of={FileSpreadsheet} size={28} strokeWidth={1.5} />
          <span className={styles['where']}>{words.drop}</span>
          <span className={classes(button['button'], button['primary'], button['large'], styles['pick'])}>
            {busy ? words.reading : words.pick}
          </span>
          <small>{words.form}</small>
        </label>
        <p className={styles['links']}>
          <TextLink href={addressOfCsv(sample)} download={words.sampleName}>
            <Icon of={Download} size={16} />
            {words.sample}
          </TextLink>
          <TextLink href={administrationPaths.export} download={words.presentName}>
            <Icon of={Download} size={16} />
            {words.present}
          </TextLink>
        </p>
      </section>
      <section className={styles['card']} aria-labelledby="import-columns">
        <h3 id="import-columns">{words.columnsHeading}</h3>
        <dl className={styles['columns']}>
          {words.columns
            .filter(([name]) => isOffered(name))
            .map(([name, advice]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{advice}</dd>
              </div>
            ))}
        </dl>
        <p className={styles['advice']}>{words.order}</p>
      </section>
    </>
  );
}
