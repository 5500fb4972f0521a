import type { Presence } from '../model/people/presence.ts';
import { VisuallyHidden } from './primitives/VisuallyHidden.tsx';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { Avatar } from './Avatar.tsx';
import styles from './Face.module.css';
import { selectPresence, selectStatus } from '../model/people/selectors.ts';
import { useModel } from '../hooks/model.ts';

type FaceProps = Parameters<typeof Avatar>[0];
type Kind = Presence['kind'];

/** A member's avatar with a mark for busy and, with `showsPresence`, for presence. Screen readers get words. */
export function Face({ showsPresence = false, ...face }: FaceProps & { readonly showsPresence?: boolean }) {
  return showsPresence ? <PresentFace {...face} /> : <MarkedFace {...face} there={undefined} />;
}

/** Subscribes to presence. Message rows do not use it, because there are many. */
function PresentFace(face: FaceProps) {
  const presence = useModel(selectPresence, face.id)?.kind;
  return <MarkedFace {...face} there={presence === 'offline' ? undefined : presence} />;
}

function MarkedFace({ there, ...face }: FaceProps & { readonly there: Exclude<Kind, 'offline'> | undefined }) {
  const words = useWords();
  const mark = useModel(selectStatus, face.id)?.busy ? 'busy' : there;
  const said = { busy: words.memberCard.busy, online: words.isOnline, idle: words.memberCard.idle };
  return (
    <span className={styles['face']} data-size={face.size} data-mark={mark}>
      <Avatar {...face} />
      {mark && <VisuallyHidden>{said[mark]}</VisuallyHidden>}
    </span>
  );
}
