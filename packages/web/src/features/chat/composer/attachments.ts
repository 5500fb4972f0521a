type Pasted = Pick<DataTransfer, 'getData'> & { readonly files: Iterable<File> };

/**
 * The files of a paste; none if the paste is text. A copied table or page contains a picture of itself and its text. A copied
 * file may contain its name as text.
 * @param pictureName The name of a picture without a name, without the extension.
 */
export function pastedFiles(data: Pasted, pictureName: string): readonly File[] {
  const pasted = [...data.files];
  const lines = data.getData('text/plain').split(/\r\n|\n|\r/);
  const names = new Set(pasted.map(({ name }) => name.normalize('NFC')));
  const isText = lines.some((line) => line !== '' && !names.has(line.normalize('NFC')));
  return isText ? [] : pasted.map((file) => named(file, pictureName));
}

/** Limit of files per message. */
export const mostFiles = 10;

/** Splits files by the limits, in order. */
export interface Admitted {
  readonly taken: readonly File[];
  readonly tooLarge: readonly File[];
  /** Files beyond the limit of files. */
  readonly beyond: readonly File[];
}

/** @param mostBytes Limit for one file. */
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

/** Browsers name every copied picture `image`, with the extension of its type. */
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
