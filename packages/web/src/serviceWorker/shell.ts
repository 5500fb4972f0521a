/** What of the product is kept in the browser: the page and the files that the build has made for it, and nothing else. */

/** Written into the script by the build. */
export interface Shell {
  /** Of all the files together. */
  readonly version: string;
  /** Their addresses from the first slash, the page's own among them. */
  readonly files: readonly string[];
}

/** The one page: where in the product it leads stands behind the `#`, which is no part of what is asked for. */
export const page = '/';

export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** `page`: a window is being opened; `part`: named by its content, so that it never changes; `file`: any other of the shell. */
export type Kind = 'page' | 'part' | 'file';

/**
 * THE rule of what is answered here. Undefined for all else (calls, members' files and pictures, signing out), which the
 * browser asks of the server as if there were no service worker.
 */
export function kindOf({ method, mode, url }: Asked, origin: string, { files }: Shell): Kind | undefined {
  const { origin: asked, pathname } = new URL(url);
  if (method !== 'GET' || asked !== origin) return undefined;
  if (mode === 'navigate') return pathname === page ? 'page' : undefined;
  if (isPart(pathname)) return 'part';
  return pathname !== page && files.includes(pathname) ? 'file' : undefined;
}

export function isPart(pathname: string): boolean {
  return pathname.startsWith('/assets/');
}

/**
 * Whether an answer is the file, and not what a proxy says in its place, as one that asks who is there, nor the page of another
 * build: what is kept by mistake would be shown for as long as the version lasts, or longer.
 */
export async function isFile(file: string, answer: Response, { version }: Pick<Shell, 'version'>): Promise<boolean> {
  const isHtml = answer.headers.get('Content-Type')?.startsWith('text/html') ?? false;
  if (!answer.ok || answer.redirected || isHtml !== (file === page)) return false;
  return file !== page || (await answer.clone().text()).includes(version);
}

const prefix = 'engawa shell ';

export function cacheOf({ version }: Pick<Shell, 'version'>): string {
  return `${prefix}${version}`;
}

/**
 * Which caches nobody needs any more, in the order in which they were made. The one before is kept: pages that were opened
 * with it may be open still, and find their parts in it when the server has them no more.
 */
export function outlived(names: readonly string[], current: string): readonly string[] {
  const ours = names.filter((name) => name.startsWith(prefix));
  return ours.slice(0, Math.max(0, ours.indexOf(current) - 1));
}
