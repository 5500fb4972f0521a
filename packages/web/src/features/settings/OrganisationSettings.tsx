import { Building2 } from '../../components/icons.ts';
import { Select } from '../../components/primitives/Select.tsx';
import { classes } from '../../components/classes.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import styles from './OrganisationSettings.module.css';
import rows from './Sections.module.css';
import cards from './Settings.module.css';
import { selectReceiptsShown } from '../../model/unread/state.ts';

const shownReceipts = ['own', 'all', 'none'] as const;

export function OrganisationSettings() {
  const words = useSettingsWords().organisationSettings;
  const failureText = useFailureText();
  const model = useCommands();
  const toast = useToast();
  const shown = useModel(selectReceiptsShown);

  const choose = async (chosen: (typeof shownReceipts)[number]) => {
    const failure = await model.showReceipts(chosen);
    if (failure) toast({ text: failureText(failure), tone: 'alert' });
  };

  return (
    <section className={cards['card']} aria-labelledby="settings-organisation">
      <h2 id="settings-organisation">
        <Building2 aria-hidden size={18} strokeWidth={1.75} />
        {words.heading}
      </h2>
      <div className={classes(rows['rows'], styles['choices'])}>
        <div className={rows['row']}>
          <span>{words.receipts}</span>
          <Select
            className={rows['audience']}
            name={words.receipts}
            options={shownReceipts.map((value) => ({ value, label: words[value] }))}
            chosen={shown}
            onChoose={(chosen) => void choose(chosen)}
          />
        </div>
        <p className={rows['note']}>{words.receiptsAdvice}</p>
      </div>
    </section>
  );
}
