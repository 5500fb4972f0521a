import type { FileMessage } from '@engawa/protocol';

/** Bytes. A preview fetches the whole file, so very large pictures wait for a press. */
const largestShown = 10 * 1024 * 1024;

/** Whether the name is of an image type that browsers show without running its content. */
export function isPicture({ name }: Pick<FileMessage, 'name'>): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(name);
}

export function showsItself({ size }: Pick<FileMessage, 'size'>, most = largestShown): boolean {
  return size <= most;
}
