import { useState } from 'react';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import { selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';
import type { StreamChange } from '../../model/streams/streamChanges.ts';
import type { BotView } from '../../model/people/bots.ts';
import { Icon, Plus, X } from '../icons.ts';
import { Button } from '../primitives/Button.tsx';
import { DialogForm } from '../primitives/DialogForm.tsx';
import { IconButton } from '../primitives/IconButton.tsx';
import { SelectField } from '../primitives/SelectField.tsx';
import { useToast } from '../primitives/Toasts.tsx';
import styles from './Bots.module.css';

/** The streams of the member, by whether the bot is in them. The bot may also be in public streams that the member is not in. */
export function useBotStreams(userId: number) {
  const model = useCommands();
  const ids = useModel(selectStreamIds) ?? [];
  // Renders again when the subscribers of one of these streams change.
  useModel(({ subscriptions }) => subscriptions);
  const streams = ids.flatMap((id) => selectStream(model.state(), id) ?? []);
  return Object.groupBy(streams, ({ subscribers }) => (subscribers.includes(userId) ? 'inside' : 'outside'));
}

type Streams = ReturnType<typeof useBotStreams>;

export function BotStreams({ bot, streams }: { readonly bot: BotView; readonly streams: Streams }) {
  const words = useBotsWords();
  const model = useCommands();
  const toast = useToast();
  const showFailure = useFailureToast();
  const [adding, setAdding] = useState(false);
  const { inside = [], outside = [] } = streams;

  const change = async (streamId: number, kind: 'invite' | 'remove', done: string) => {
    const failed = await model.changeStream(streamId, { kind, userIds: [bot.userId] } satisfies StreamChange);
    if (failed) showFailure(failed);
    else toast({ text: done, tone: 'note' });
  };

  return (
    <section className={styles['part']} aria-labelledby="bot-streams">
      <h3 id="bot-streams">{words.streams}</h3>
      <p className={styles['advice']}>{inside.length === 0 ? words.noStreams : words.streamsAdvice}</p>
      {inside.length > 0 && (
        <ul className={styles['streams']} aria-labelledby="bot-streams">
          {inside.map(({ streamId, name }) => (
            <li key={streamId}>
              <span>{name}</span>
              <IconButton
                name={words.removeFrom(name)}
                icon={X}
                onClick={() => void change(streamId, 'remove', words.removedFrom(name))}
              />
            </li>
          ))}
        </ul>
      )}
      {outside.length > 0 && (
        <div className={styles['buttons']}>
          <Button size="small" aria-haspopup="dialog" onClick={() => setAdding(true)}>
            <Icon of={Plus} size={14} />
            {words.addStream}
          </Button>
        </div>
      )}
      {adding && (
        <AddStream
          streams={outside}
          onClose={() => setAdding(false)}
          onAdd={(streamId, name) => {
            setAdding(false);
            void change(streamId, 'invite', words.addedTo(name));
          }}
        />
      )}
    </section>
  );
}

interface AddStreamProps {
  readonly streams: readonly { readonly streamId: number; readonly name: string }[];
  readonly onClose: () => void;
  readonly onAdd: (streamId: number, name: string) => void;
}

function AddStream({ streams, onClose, onAdd }: AddStreamProps) {
  const words = useBotsWords();
  const [chosen, setChosen] = useState(String(streams[0]?.streamId));
  const stream = streams.find(({ streamId }) => String(streamId) === chosen);
  return (
    <DialogForm
      heading={words.addStream}
      closeLabel={words.cancel}
      submitLabel={words.addStream}
      onClose={onClose}
      onSubmit={() => stream && onAdd(stream.streamId, stream.name)}
    >
      <SelectField
        label={words.chooseStream}
        options={streams.map(({ streamId, name }) => ({ value: String(streamId), label: name }))}
        chosen={chosen}
        onChoose={setChosen}
      />
    </DialogForm>
  );
}
