import { mostFiles } from '../../../model/drafts/drafts.ts';

type Pasted = Pick<DataTransfer, 'getData'> & { readonly files: Iterable<File> };

/** The pasted files. A copied table counts as text although it comes with a picture of itself. */
export function pastedFiles(data: Pasted, pictureName: string): readonly File[] {
  const pasted = [...data.files];
  const lines = data.getData('text/plain').split(/\r\n|\n|\r/);
  const names = new Set(pasted.map(({ name }) => name.normalize('NFC')));
  const isText = lines.some((line) => line !== '' && !names.has(line.normalize('NFC')));
  return isText ? [] : pasted.map((file) => named(file, pictureName));
}

export interface Admitted {
  readonly taken: readonly File[];
  readonly tooLarge: readonly File[];
  readonly beyond: readonly File[];
}

export function admitted(files: Iterable<File>, beside: number, mostBytes: number): Admitted {
  const [small, tooLarge] = [
    [...files].filter(({ size }) => size <= mostBytes),
    [...files].filter(({ size }) => size > mostBytes),
  ];
  const room = Math.max(0, mostFiles - beside);
  return { taken: small.slice(0, room), tooLarge, beyond: small.slice(room) };
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/svg+xml': 'svg',
};

/** Renames a copied picture, because browsers call every one `image`, with the extension of its type. */
function named(file: File, pictureName: string): File {
  const extension = extensions[file.type];
  if (extension === undefined || !/^image\.\w+$/.test(file.name)) return file;
  const { type, lastModified } = file;
  return new File([file], `${pictureName}.${extension}`, { type, lastModified });
}

interface Dropped {
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
}

/** A dropped folder would become an unreadable file. */
export function holdsFolder(items: Iterable<Dropped>): boolean {
  return [...items].some((item) => item.webkitGetAsEntry()?.isDirectory);
}
