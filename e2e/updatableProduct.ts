/** A product that serves a copy of the built files, so that a test can replace them while members use them. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type StartedProduct, startProduct } from './server.ts';

const root = resolve(import.meta.dirname, '..');
const built = join(root, 'packages/web/dist');
const programs = ['server.mjs', 'searchWorker.mjs'];
const text = /\.(?:html|js|css)$/;

export interface UpdatableProduct {
  readonly product: StartedProduct;
  /** Renames every built file, as a build of changed sources would. */
  deploy(version: string): void;
  stop(): Promise<void>;
}

/** The addresses of all built files. */
export function builtFiles(): readonly string[] {
  return readdirSync(built, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`);
}

export async function startUpdatableProduct(): Promise<UpdatableProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-deployed-'));
  const web = join(folder, 'node_modules/@engawa/web');
  const screens = join(web, 'dist');
  mkdirSync(web, { recursive: true });
  cpSync(join(root, 'packages/web/package.json'), join(web, 'package.json'));
  // Compressed files would still have the content of the original version.
  cpSync(built, screens, { recursive: true, filter: (name) => !/\.(?:br|gz)$/.test(name) });
  for (const program of programs) cpSync(join(root, 'dist', program), join(folder, 'dist', program));
  const product = await startProduct({}, join(folder, 'dist/server.mjs'));
  return {
    product,
    deploy: (version) => rename(screens, version),
    stop: async () => {
      await product.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function rename(screens: string, version: string): void {
  const parts = readdirSync(join(screens, 'assets'));
  const before = /"engawa-version" content="([^"]+)"/.exec(readFileSync(join(screens, 'index.html'), 'utf8'))?.[1];
  if (before === undefined) throw new Error('the page bears no version');
  const names = new RegExp([...parts, before].map((name) => name.replaceAll('.', String.raw`\.`)).join('|'), 'g');
  const renamed = (name: string) => (name === before ? version : `${version}-${name}`);
  const texts = readdirSync(screens, { recursive: true, encoding: 'utf8' }).filter((name) => text.test(name));
  for (const name of texts) {
    const file = join(screens, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(names, renamed));
  }
  for (const part of parts) renameSync(join(screens, 'assets', part), join(screens, 'assets', renamed(part)));
}
