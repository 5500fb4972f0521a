/** The shell: the page and the built files, which are all that the browser caches. */

/** The build writes a value of this type into the script of the service worker. */
export interface Shell {
  /** A hash of all the files together. */
  readonly version: string;
  readonly files: readonly string[];
}

/** The only page. The screens are told apart by the part of the address after `#`, which requests do not contain. */
export const page = '/';

export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** `page`: the page itself; `part`: its name contains a hash, so it never changes; `file`: any other file of the shell. */
export type Kind = 'page' | 'part' | 'file';

/** Decides which requests the service worker answers. Undefined for calls, members' files and signing out. */
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

/** Whether a response is the file of this build. A page of a proxy or another build would stay in the cache. */
export async function isFile(file: string, answer: Response, { version }: Pick<Shell, 'version'>): Promise<boolean> {
  const isHtml = answer.headers.get('Content-Type')?.startsWith('text/html') ?? false;
  if (!answer.ok || answer.redirected || isHtml !== (file === page)) return false;
  return file !== page || (await answer.clone().text()).includes(version);
}

const prefix = 'engawa shell ';

export function cacheOf({ version }: Pick<Shell, 'version'>): string {
  return `${prefix}${version}`;
}

/** The caches to delete. The previous one stays, because open pages may need files that the server no longer has. */
export function outlived(names: readonly string[], current: string): readonly string[] {
  const ours = names.filter((name) => name.startsWith(prefix));
  return ours.slice(0, Math.max(0, ours.indexOf(current) - 1));
}
