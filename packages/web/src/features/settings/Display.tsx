import { startTransition, useOptimistic } from 'react';
import { Choice } from '../../components/primitives/Choice.tsx';
import { Icon, Sun } from '../../components/icons.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useChangeSettings } from '../../hooks/changeSettings.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { useLanguage } from '../../i18n/LocaleProvider.tsx';
import { locales, type Locale } from '../../i18n/locale.ts';
import styles from './Settings.module.css';
import { TimeZone } from './TimeZone.tsx';
import { selectSettings } from '../../model/people/selectors.ts';
import { useCapability, useModel } from '../../hooks/model.ts';

const themes = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof themes)[number];

const densities = ['standard', 'compact'] as const;
const sendKeys = ['enter', 'ctrlEnter'] as const;

/** R2.25.1: appearance and behaviour on all devices of the member. Each choice applies at once. */
export function Display({ theme, onTheme }: { readonly theme: ThemeChoice; readonly onTheme: (theme: ThemeChoice) => void }) {
  const { locale, choose } = useLanguage();
  const { page: words, display } = useSettingsWords();
  const hasDensity = useCapability('own_settings');
  const toast = useToast();
  const change = useChangeSettings();
  const { enter_sends: enterSends = true, compact_messages: isCompact = false } = useModel(selectSettings);
  // The words of the language may still have to load.
  const [chosenLanguage, showChoice] = useOptimistic(locale);
  const languages: Readonly<Record<Locale, string>> = { ja: words.japanese, en: words.english };

  const onLanguage = async (chosen: Locale) => {
    try {
      if (await choose(chosen)) change({ default_language: chosen });
    } catch {
      toast({ text: words.languageFailed, tone: 'alert' });
    }
  };

  return (
    <section className={styles['card']} aria-labelledby="settings-display">
      <h2 id="settings-display">
        <Icon of={Sun} size={18} strokeWidth={1.75} />
        {words.display}
      </h2>
      <Choice
        label={words.language}
        options={locales.map((each) => ({ value: each, label: languages[each] }))}
        chosen={chosenLanguage}
        onChoose={(chosen) =>
          startTransition(async () => {
            showChoice(chosen);
            await onLanguage(chosen);
          })
        }
      />
      <Choice
        label={words.theme}
        options={themes.map((each) => ({ value: each, label: display.themes[each] }))}
        chosen={theme}
        onChoose={onTheme}
      />
      {hasDensity && (
        <>
          <Choice
            label={display.density}
            options={densities.map((each) => ({ value: each, label: display.densities[each] }))}
            chosen={isCompact ? 'compact' : 'standard'}
            onChoose={(density) => change({ compact_messages: density === 'compact' })}
          />
          <p className={styles['advice']}>{display.densityAdvice}</p>
        </>
      )}
      <Choice
        label={display.sendKey}
        options={sendKeys.map((each) => ({ value: each, label: display.sendKeys[each] }))}
        chosen={enterSends ? 'enter' : 'ctrlEnter'}
        onChoose={(key) => change({ enter_sends: key === 'enter' })}
      />
      <TimeZone />
    </section>
  );
}
