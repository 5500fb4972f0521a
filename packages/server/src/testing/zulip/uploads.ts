import { randomBytes } from 'node:crypto';
import { PageNotFound } from './refusal.ts';

interface Upload {
  readonly uploaderId: number;
  readonly content: Buffer;
  readonly type: string;
}

const temporarySeconds = 60;

/** Uploaded files, by path. `Calls.mayRead` says who gets one. */
export class Uploads {
  readonly #files = new Map<string, Upload>();
  readonly #temporary = new Map<string, { readonly path: string; readonly ends: number }>();

  /** @returns the path, which messages contain. */
  add(name: string, upload: Upload): string {
    const path = `/user_uploads/2/${randomBytes(1).toString('hex')}/${randomBytes(18).toString('base64url')}/${name}`;
    this.#files.set(path, upload);
    return path;
  }

  /** @throws PageNotFound */
  of(path: string): Upload {
    const file = this.#files.get(path);
    if (!file) throw new PageNotFound(path);
    return file;
  }

  /** A path without authorization. */
  temporaryPath(path: string): string {
    this.of(path);
    const temporary = `/user_uploads/temporary/${randomBytes(16).toString('hex')}/${path.slice(path.lastIndexOf('/') + 1)}`;
    this.#temporary.set(temporary, { path, ends: Date.now() + temporarySeconds * 1000 });
    return encodeURI(temporary);
  }

  ofTemporary(temporary: string): Upload {
    const { path, ends } = this.#temporary.get(temporary) ?? { path: '', ends: 0 };
    if (ends < Date.now()) throw new PageNotFound(temporary);
    return this.of(path);
  }
}

/** One grey pixel: every picture of a member. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOYCQAAmwCarS5ItAAAAABJRU5ErkJggg==',
  'base64',
);
