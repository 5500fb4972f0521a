import { NamedAvatar } from '../../../components/NamedPicture.tsx';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { StreamDeletion } from '../../../components/StreamDeletion.tsx';
import { useFailureToast } from '../../../hooks/changeSettings.ts';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useStreamWords } from '../../../i18n/stream.ts';
import { settingsFor } from '../../../model/streams/levelSettings.ts';
import { notificationLevels, type NotificationLevel } from '../../../model/streams/notifying.ts';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import styles from './StreamDialogs.module.css';
import { StreamProfile } from './StreamProfile.tsx';
import type { Tool } from './streamTool.ts';
import { useStreamChange } from './streamActions.ts';

interface StreamDialogProps {
  readonly stream: StreamView;
  readonly onClose: () => void;
}

export function StreamDialog({ tool, ...props }: StreamDialogProps & { readonly tool: Tool }) {
  switch (tool) {
    case 'profile':
      return <StreamProfile {...props} />;
    case 'notifications':
      return <NotificationsDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
  }
}

function NotificationsDialog({ stream, onClose }: StreamDialogProps) {
  const words = useStreamWords();
  const model = useCommands();
  const showFailure = useFailureToast();
  const choose = async (level: NotificationLevel) => {
    showFailure(await model.changeStream(stream.streamId, { kind: 'set', settings: settingsFor(level) }));
  };
  return (
    <Dialog heading={words.notifications} onClose={onClose}>
      <div className={styles['levels']}>
        <NamedAvatar id={stream.streamId} name={stream.name} picture={stream.profile} />
        <div role="radiogroup" aria-label={words.notifications}>
          {notificationLevels.map((level) => (
            <label key={level}>
              <input type="radio" name="level" checked={stream.notifies === level} onChange={() => void choose(level)} />
              <span>
                {words.levels[level]}
                <small>{words.levelAdvice[level]}</small>
              </span>
            </label>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function DeleteDialog({ stream, onClose }: StreamDialogProps) {
  const failureText = useFailureText();
  const { failure, busy, submit } = useStreamChange(stream.streamId, onClose);
  const { streamId, name, profile, subscribers } = stream;
  return (
    <StreamDeletion
      stream={{ streamId, name, profile, members: subscribers.length }}
      failure={failure && failureText(failure)}
      busy={busy}
      onDelete={() => submit({ kind: 'delete' })}
      onClose={onClose}
    />
  );
}
