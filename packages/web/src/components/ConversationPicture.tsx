import { Avatar } from './Avatar.tsx';
import { Face } from './Face.tsx';
import styles from './ConversationPicture.module.css';

interface Stream {
  readonly kind: 'stream';
  readonly streamId: number;
  readonly name: string;
  readonly profile: string | undefined;
}

interface Direct {
  readonly kind: 'direct';
  readonly isToSelf: boolean;
  readonly others: readonly { readonly userId: number; readonly fullName: string; readonly avatarUrl: string | undefined }[];
}

type Size = 'list' | 'header' | 'profile';

/** The picture of a stream, of the other member (with presence), or of the first two members of a group conversation. */
export function ConversationPicture({ of, size }: { readonly of: Stream | Direct; readonly size: Size }) {
  if (of.kind === 'stream') return <Avatar id={of.streamId} name={of.name} picture={of.profile} size={size} />;
  const [first, second] = of.others;
  if (first && !second) {
    const { userId, fullName, avatarUrl } = first;
    return <Face id={userId} name={fullName} picture={avatarUrl} size={size} showsPresence={!of.isToSelf} />;
  }
  const pictures = of.others
    .slice(0, 2)
    .map(({ userId, fullName, avatarUrl }) => (
      <Avatar key={userId} id={userId} name={fullName} picture={avatarUrl} size={size} />
    ));
  return (
    <span className={styles['group']} data-size={size}>
      {pictures}
    </span>
  );
}
