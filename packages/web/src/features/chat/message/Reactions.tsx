import { PlainButton } from '../../../components/primitives/Button.tsx';
import { classes } from '../../../components/classes.ts';
import { Tooltip } from '../../../components/primitives/Tooltip.tsx';
import { useFailureToast } from '../../../hooks/changeSettings.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import type { MessageView } from '../../../model/timeline/message.ts';
import type { ReactionView } from '../../../model/timeline/reactions.ts';
import styles from './Reactions.module.css';
import { selectPictureOfReaction } from '../../../model/people/customEmoji.ts';
import { selectName } from '../../../model/people/selectors.ts';

export function Reactions({ message: { key, reactions } }: { readonly message: MessageView }) {
  const words = useWords().messageTools;
  if (typeof key === 'string') return null;
  return (
    <ul className={styles['reactions']} aria-label={words.reactions}>
      {reactions.map((reaction) => (
        <li key={reaction.key}>
          <Chip messageId={key} reaction={reaction} />
        </li>
      ))}
    </ul>
  );
}

function Chip({ messageId, reaction }: { readonly messageId: number; readonly reaction: ReactionView }) {
  const words = useWords().messageTools;
  const model = useCommands();
  const showFailure = useFailureToast();
  const { emoji, shown, userIds, mine } = reaction;
  const picture = useModel(selectPictureOfReaction, emoji.type, emoji.code);
  const names = userIds.map((userId) => selectName(model.state(), userId) ?? words.somebody);

  const toggle = async (chip: HTMLElement) => {
    // The chip disappears with its last reaction, so the message takes the focus.
    if (mine && userIds.length === 1) chip.closest('article')?.focus({ preventScroll: true });
    showFailure(await model.toggleReaction(messageId, emoji));
  };

  return (
    <Tooltip text={words.names(names)} side="top">
      <PlainButton
        className={classes(styles['chip'], mine && styles['mine'])}
        aria-pressed={mine}
        aria-label={words.reaction(shown, names)}
        onClick={({ currentTarget }) => void toggle(currentTarget)}
      >
        <span aria-hidden>{picture === undefined ? shown : <img className={styles['picture']} src={picture} alt="" />}</span>
        <span aria-hidden>{userIds.length}</span>
      </PlainButton>
    </Tooltip>
  );
}
