/** What a paste or a drop means for the composer. */

type Pasted = Pick<DataTransfer, 'getData'> & { readonly files: Iterable<File> };

/**
 * The files that a paste is about; none where it is about its text. A copied table or page carries a picture of itself
 * beside its text; a copied file may carry its name as text.
 * @param pictureName What a picture without a name of its own is called, without the extension.
 */
export function pastedFiles(data: Pasted, pictureName: string): readonly File[] {
  const pasted = [...data.files];
  const lines = data.getData('text/plain').split(/\r\n|\n|\r/);
  const names = new Set(pasted.map(({ name }) => name.normalize('NFC')));
  const isText = lines.some((line) => line !== '' && !names.has(line.normalize('NFC')));
  return isText ? [] : pasted.map((file) => named(file, pictureName));
}

/** Files that are chosen at once. */
export const mostFiles = 10;

/** Which of some files can be chosen beside others, in their order. */
export interface Admitted {
  readonly taken: readonly File[];
  readonly tooLarge: readonly File[];
  /** Those for which there is no room. */
  readonly beyond: readonly File[];
}

/** @param mostBytes Of one file. */
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

/** Browsers call every picture that was copied as such `image`, with the extension of its type. */
function named(file: File, pictureName: string): File {
  const extension = extensions[file.type];
  if (extension === undefined || !/^image\.\w+$/.test(file.name)) return file;
  const { type, lastModified } = file;
  return new File([file], `${pictureName}.${extension}`, { type, lastModified });
}

interface Dropped {
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
}

/** A folder would come as a file that cannot be read. */
export function holdsFolder(items: Iterable<Dropped>): boolean {
  return [...items].some((item) => item.webkitGetAsEntry()?.isDirectory);
}
