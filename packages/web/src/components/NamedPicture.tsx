import type { ReactNode } from 'react';
import { Avatar } from './Avatar.tsx';
import styles from './NamedPicture.module.css';

export function NamedPicture({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <p className={styles['named']}>
      {children}
      {name}
    </p>
  );
}

export function NamedAvatar(of: { readonly id: number; readonly name: string; readonly picture: string | undefined }) {
  return (
    <NamedPicture name={of.name}>
      <Avatar {...of} size="header" />
    </NamedPicture>
  );
}
