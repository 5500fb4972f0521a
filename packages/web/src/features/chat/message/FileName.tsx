import { extensionOf } from '@engawa/protocol';
import { File, FileArchive, FileImage, FileSpreadsheet, FileText, Icon } from '../../../components/icons.ts';
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

const kinds = [
  [/\.(png|jpe?g|gif|webp|svg|heic|avif|bmp)$/i, FileImage],
  [/\.(xlsx?|ods|csv|tsv|numbers)$/i, FileSpreadsheet],
  [/\.(docx?|odt|pdf|txt|md|rtf|pages)$/i, FileText],
  [/\.(zip|tar|t?gz|7z|rar|lzh)$/i, FileArchive],
] as const;

export function FileIcon({ name }: { readonly name: string }) {
  const icon = kinds.find(([pattern]) => pattern.test(name))?.[1] ?? File;
  return <Icon of={icon} size={20} strokeWidth={1.75} />;
}
