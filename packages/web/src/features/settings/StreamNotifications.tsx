import { useDeferredValue, useState } from 'react';
import { TextButton } from '../../components/primitives/Button.tsx';
import { Avatar } from '../../components/Avatar.tsx';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { Select } from '../../components/primitives/Select.tsx';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { matches } from '../../i18n/matches.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { settingsFor } from '../../model/streams/levelSettings.ts';
import { notificationLevels, type NotificationLevel } from '../../model/streams/notifying.ts';
import styles from './StreamNotifications.module.css';
import { selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';

const mostListed = 100;
const searchedFrom = 10;

/** R2.24.2, R2.25.4: the notification level of each stream of the member. Each choice applies at once. */
export function StreamNotifications({ onClose }: { readonly onClose: () => void }) {
  const words = useSettingsWords().streamNotifications;
  const { noneFound } = useWords();
  const model = useCommands();
  const streams = useModel(selectStreamIds) ?? [];
  const [query, setQuery] = useState('');
  const [listed, setListed] = useState(mostListed);
  const deferredQuery = useDeferredValue(query);
  const found = streams.filter((streamId) => matches(deferredQuery, selectStream(model.state(), streamId)?.name ?? ''));

  return (
    <Dialog heading={words.heading} onClose={onClose} tall>
      <div className={styles['streams']} ref={scrollableByKeyboard}>
        <p className={styles['advice']}>{words.advice}</p>
        {streams.length >= searchedFrom && <SearchField label={words.search} onQuery={setQuery} />}
        {found.length === 0 && <output className={styles['advice']}>{noneFound}</output>}
        <ul aria-label={words.heading}>
          {found.slice(0, listed).map((streamId) => (
            <Row key={streamId} streamId={streamId} />
          ))}
        </ul>
        {found.length > listed && (
          <TextButton className={styles['more']} onClick={() => setListed(listed + mostListed)}>
            {words.more(found.length - listed)}
          </TextButton>
        )}
      </div>
    </Dialog>
  );
}

function Row({ streamId }: { readonly streamId: number }) {
  const words = useSettingsWords().streamNotifications;
  const model = useCommands();
  const showFailure = useFailureToast();
  const stream = useModel(selectStream, streamId);
  if (!stream) return null;

  const choose = (level: NotificationLevel) => {
    void model.changeStream(streamId, { kind: 'set', settings: settingsFor(level) }).then(showFailure);
  };

  const { name, profile, notifies } = stream;
  return (
    <li>
      <Avatar id={streamId} name={name} picture={profile} size="message" />
      <span className={styles['name']}>{name}</span>
      <Select
        name={words.of(name)}
        options={notificationLevels.map((level) => ({ value: level, label: words.levels[level] }))}
        chosen={notifies}
        onChoose={choose}
      />
    </li>
  );
}
