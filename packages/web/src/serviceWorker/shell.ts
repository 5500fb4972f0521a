/** The shell: the page and the built files that the browser caches, and nothing else. */

/** Written into the script by the build. */
export interface Shell {
  /** A hash of all the files together. */
  readonly version: string;
  readonly files: readonly string[];
}

/** The only page: the place within the product is in the fragment, which is not part of a request. */
export const page = '/';

export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** `page`: a navigation; `part`: named by its content, so that it never changes; `file`: any other file of the shell. */
export type Kind = 'page' | 'part' | 'file';

/** The only rule of which requests the service worker answers; undefined for calls, members' files and signing out. */
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

/** Whether a response is the file, not a proxy's page or another build's: a wrong one would stay cached with the version. */
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
