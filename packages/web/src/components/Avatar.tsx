import { useState } from 'react';
import { graphemesOf } from '@engawa/folding';
import styles from './Avatar.module.css';

const colourPairs = 6;
/** A first letter that needs no segmenter, because no mark follows it. */
const plainLetter = /^[A-Za-zぁ-ヶ一-鿿](?![\p{M}\u200D\uFF9E\uFF9F])/u;

/** The first grapheme: ガ written as two code points counts as one, and so does an emoji. */
export function firstLetter(name: string): string {
  const trimmed = name.trim();
  const [letter] = plainLetter.exec(trimmed) ?? [];
  if (letter !== undefined) return letter;
  const [first] = graphemesOf(trimmed);
  return first?.segment ?? '';
}

interface AvatarProps {
  readonly id: number;
  readonly name: string;
  readonly picture: string | undefined;
  readonly size: 'chip' | 'rail' | 'list' | 'header' | 'message' | 'profile';
}

/** R2.6, R2.26: a picture, or the first letter on one of six colours. Screen readers skip it and read the name next to it. */
export function Avatar({ id, name, picture, size }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const shown = picture !== undefined && picture !== broken;
  const pair = (id % colourPairs) + 1;
  const colours = { background: `var(--av-${pair})`, color: `var(--av-${pair}f)` };
  return (
    <span className={styles['avatar']} data-size={size} style={shown ? undefined : colours} aria-hidden>
      {shown ? <img src={picture} alt="" draggable={false} onError={() => setBroken(picture)} /> : firstLetter(name)}
    </span>
  );
}
