import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStorage } from './storage.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engawa-storage-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

describe('received file', () => {
  // A race with the disk created the file after its removal, once in a thousand runs.
  it('When an upload breaks off at any moment, the storage keeps no part of the file on the disk', async () => {
    const storage = createStorage(directory);
    const brokenOff = new Error('broken off');
    for (let turn = 0; turn < 1000; turn += 1) {
      const source = new PassThrough().on('error', () => undefined);
      source.write('bytes');
      const received = storage.receive(source);
      if (turn % 2 === 0) source.destroy(brokenOff);
      else setImmediate(() => source.destroy(brokenOff));
      await expect(received).rejects.toThrow(brokenOff);
    }
    expect(readdirSync(join(directory, 'arriving'))).toEqual([]);
  });
});
