import type { FileMessage } from '@engawa/protocol';

/** Bytes. The whole file is fetched to be shown small, so of a very large one nobody asked for that. */
const largestShown = 10 * 1024 * 1024;

/** Whether it has the name of an image that browsers show without running anything that is written in it. */
export function isPicture({ name }: Pick<FileMessage, 'name'>): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(name);
}

/** Whether a picture is shown small without being asked for. */
export function showsItself({ size }: Pick<FileMessage, 'size'>, most = largestShown): boolean {
  return size <= most;
}
