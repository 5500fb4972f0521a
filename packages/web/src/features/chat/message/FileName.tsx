import { extensionOf } from '@engawa/protocol';
import styles from './FileName.module.css';

/**
 * A file's name on one line. Its extension, which says what it is, is always there: no length hides it, and no script that
 * runs the other way moves it.
 */
export function FileName({ name }: { readonly name: string }) {
  const extension = extensionOf(name);
  return (
    <span className={styles['name']} title={name}>
      <bdi>{name.slice(0, name.length - extension.length)}</bdi>
      <bdi>{extension}</bdi>
    </span>
  );
}
