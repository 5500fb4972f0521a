import { useId, useState } from 'react';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { useChangeSettings } from '../../hooks/changeSettings.ts';
import { useClock, useZone } from '../../hooks/times.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import styles from './TimeZone.module.css';
import { zoneNamed, zones } from './zones.ts';

/** R9.5: the time zone of the member, Japan by default. Typing a part of its name finds it. */
export function TimeZone() {
  const words = useSettingsWords().display;
  const change = useChangeSettings();
  const kept = useZone();
  const clock = useClock();
  const id = useId();
  const [written, setWritten] = useState<string>();
  const device = new Intl.DateTimeFormat().resolvedOptions().timeZone;

  const write = (text: string) => {
    const zone = zoneNamed(text);
    setWritten(text);
    // Saves even the zone that is already shown, because a call with another zone may be running.
    if (zone !== undefined) change({ timezone: zone });
  };

  return (
    <div className={styles['zone']}>
      <label htmlFor={id}>{words.timeZone}</label>
      <input
        id={id}
        list={`${id}-list`}
        value={written ?? kept}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={`${id}-advice`}
        aria-invalid={written !== undefined && zoneNamed(written) === undefined}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={() => setWritten(undefined)}
      />
      <datalist id={`${id}-list`}>
        {zones().map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
      <p id={`${id}-advice`}>{words.timeZoneAdvice(clock)}</p>
      {device !== kept && zoneNamed(device) !== undefined && (
        <PlainButton onClick={() => change({ timezone: device })}>{words.deviceZone(device)}</PlainButton>
      )}
    </div>
  );
}
