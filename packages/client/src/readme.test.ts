import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as protocol from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as calls from './calls.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const described = new Map<string, unknown>(Object.entries(protocol));

// packages/server/src/clientReadme.test.ts runs the examples, because they need a server.
it.each(Object.keys(calls))('[R7.6] The README of the client library lists %s with its method and path', (name) => {
  const [, method, path] = new RegExp(`^\\| \`${name}\` \\| ([A-Z]+) (/[^ :,]+)`, 'm').exec(readme) ?? [];
  expect(described.get(name)).toMatchObject({ method, path });
});
