import { Building2, Icon } from '../../components/icons.ts';
import { Select } from '../../components/primitives/Select.tsx';
import { classes } from '../../components/classes.ts';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import styles from './OrganisationSettings.module.css';
import rows from './Sections.module.css';
import cards from './Settings.module.css';
import { selectReceiptsShown } from '../../model/unread/state.ts';

const shownReceipts = ['own', 'all', 'none'] as const;

export function OrganisationSettings() {
  const words = useSettingsWords().organisationSettings;
  const model = useCommands();
  const showFailure = useFailureToast();
  const shown = useModel(selectReceiptsShown);

  return (
    <section className={cards['card']} aria-labelledby="settings-organisation">
      <h2 id="settings-organisation">
        <Icon of={Building2} size={18} strokeWidth={1.75} />
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
            onChoose={(chosen) => void model.showReceipts(chosen).then(showFailure)}
          />
        </div>
        <p className={rows['note']}>{words.receiptsAdvice}</p>
      </div>
    </section>
  );
}
