import { extensionOf } from '@engawa/protocol';
import styles from './FileName.module.css';

/** A file name on one line. The extension is always visible: neither length nor right-to-left script hides it. */
export function FileName({ name }: { readonly name: string }) {
  const extension = extensionOf(name);
  return (
    <span className={styles['name']} title={name}>
      <bdi>{name.slice(0, name.length - extension.length)}</bdi>
      <bdi>{extension}</bdi>
    </span>
  );
}
