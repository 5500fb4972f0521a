/**
 * The text of a file message is marker, original name, stored name and size in bytes, joined by commas. The original name
 * may contain commas, so the text is parsed from both ends. Width and height may follow the stored name of a picture.
 */
export const fileMarker = 'engawa-file';

/** 20 characters of `storedNameAlphabet` and the original extension, if any. It does not end like a size of a picture. */
export const storedNamePattern = /^(?!.*#\d+x\d+$)[a-z0-9]{20}(\.[^\p{Cc}\s./\\,]{1,20})?$/u;

/** Follows the stored name of a picture: its width and height. It is the fragment of a link, so links of other clients work. */
const sizeFragment = /#([1-9]\d{0,4})x([1-9]\d{0,4})$/;

export const storedNameAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
export const storedNameLength = 20;

/** Pixels, as a browser shows the picture, which may be turned. Any member can write any size, so it only reserves space. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface FileMessage {
  readonly name: string;
  readonly storedName: string;
  /** Bytes. */
  readonly size: number;
  readonly picture?: PictureSize | undefined;
}

export function composeFileMessage({ name, storedName, size, picture }: FileMessage): string {
  const fragment = picture ? `#${picture.width}x${picture.height}` : '';
  return [fileMarker, name, storedName + fragment, String(size)].join(',');
}

/** The stored name of a link that may have the size of a picture. */
export function withoutPictureSize(storedName: string): string {
  return storedName.replace(sizeFragment, '');
}

/** The path of a file without its stored name. A member may download the file if they may read a message with it. */
export const storagePath = '/api/storage/temp/';

export function parseFileMessage(content: string): FileMessage | undefined {
  const parts = content.split(',');
  if (parts.length < 4 || parts[0] !== fileMarker) return undefined;
  const size = parts.at(-1) ?? '';
  const link = parts.at(-2) ?? '';
  const storedName = withoutPictureSize(link);
  const name = parts.slice(1, -2).join(',');
  if (name === '' || /[\n\r]/.test(name)) return undefined;
  if (!/^\d{1,15}$/.test(size) || !storedNamePattern.test(storedName)) return undefined;
  return { name, storedName, size: Number(size), picture: pictureSizeIn(link) };
}

function pictureSizeIn(link: string): PictureSize | undefined {
  const found = sizeFragment.exec(link);
  return found ? { width: Number(found[1]), height: Number(found[2]) } : undefined;
}

/** The extension for the stored name, with its dot; empty when the name has no usable extension. */
export function extensionOf(name: string): string {
  const extension = /\.[^\p{Cc}\s./\\,]{1,20}$/u.exec(name.normalize('NFC'))?.[0] ?? '';
  return extension === name || /#\d+x\d+$/.test(extension) ? '' : extension;
}

/** Line ends and direction marks, which can disguise a name: `gpj.exe` after U+202E is shown as `exe.jpg`. */
const disguises = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Emoji with joiners, keycaps, flags of tags, and kanji with their variation selector, which are kept; or an invisible character. */
const sequencesOrInvisible =
  /(\p{ExtPict}[\ufe0e\ufe0f\p{EMod}]*(?:\u200d\p{ExtPict}[\ufe0f\p{EMod}]*)*(?:[\u{e0020}-\u{e007e}]+\u{e007f})?|[\d#*]\ufe0f|\p{Ideo}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])|\p{DI}/gu;

/**
 * Composes characters, which macOS sends decomposed, replaces disguising ones by `_`, and drops invisible ones, which could
 * imitate another name. A second call changes nothing.
 */
export function sanitizeFileName(name: string): string {
  return name.toWellFormed().replace(disguises, '_').replace(sequencesOrInvisible, '$1').normalize('NFC').trim();
}

/** Before the stored name and the shown name in the path of an upload of the chat API. The number is the organisation's. */
export const uploadsPath = '/user_uploads/1/';

/** The path of an upload as other clients write it into a message. */
export const uploadLink = (storedName: string, name: string): string => `${uploadsPath}${storedName}/${name}`;

const maxLinksRead = 20;
const linkPattern = /\/user_uploads\/1\/([a-z0-9]{20}(?:\.[a-z0-9]{1,20})?)\//g;

/** A program writes the name percent-encoded, as the server answered it, or decoded inside the parentheses of a Markdown link. */
const wholeLinkPattern =
  /\/user_uploads\/1\/([a-z0-9]{20}(?:\.[a-z0-9]{1,20})?)\/(?:(?<=\]\([^\s()]*)[^\s()]*(?=\))|(?:[\w.%-]*[\w%])?)/g;

/** Replaces the paths of uploads in a text by what `pathOf` returns. If it returns undefined, the path stays. */
export function replaceUploadLinks(content: string, pathOf: (storedName: string) => string | undefined): string {
  if (!content.includes(uploadsPath)) return content;
  return content.replaceAll(wholeLinkPattern, (link, storedName: string) => pathOf(storedName) ?? link);
}

/** The stored names of the first uploads to which a text links, each once. */
export function uploadsLinkedIn(content: string): string[] {
  if (!content.includes(uploadsPath)) return [];
  return [...new Set(content.matchAll(linkPattern).map(([, storedName = '']) => storedName))].slice(0, maxLinksRead);
}
