import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/**
 * The folders of a package, the lowest first; files beside them stand with their names. Each imports only from those
 * before it, types too, so that no two folders depend on each other.
 */
const layers = {
  'packages/chat-server/src': `
    clock.ts turns.ts durations.ts database schema.ts migrations.ts text errors.ts identity http events
    accounts settings privacy userGroups profileFields botStorage emoji realm conversations reading reactions search
    streams messages scheduledMessages drafts presence status typing calls hooks users bots organisation register export
    deliveryRules.ts parts.ts chatServer.ts index.ts`,
  'packages/server/src': `
    parseJson.ts log database release storage http security configuration.ts live chat sessions calls
    departments files pictures profile streams bots emoji hooks
    organisation accounts administration import backup export firstSteps demo doctor metrics operator installation
    data.ts app.ts openChat.ts directory.ts product.ts main.ts commands`,
  'packages/web/src/model': `
    collections.ts collation.ts constants.ts memoise.ts signal.ts store.ts mobileDetector.ts browserStorage.ts environment.ts
    connection context.ts onDemand.ts optimistic.ts people streams unread timeline conversations outbox drafts calls state.ts sync
    browserEnvironment.ts model.ts createModel.ts`,
};
/** They exist for tests, which may look at everything. */
const forTests = ['testing', 'oracle', 'generated', 'permissions'];

describe.each(Object.entries(layers))('the folders of %s', (folder, table) => {
  const order = table.trim().split(/\s+/);
  const files = globSync('**/*.ts{,x}', { cwd: join(root, folder) }).filter(
    (file) => !/\.test\.tsx?$/.test(file) && !forTests.includes(layerOf(file)),
  );

  it(`Each file of ${folder} imports only from folders that come before its own in the list`, () => {
    const against = files.flatMap((file) =>
      importsOf(join(root, folder, file))
        .map((path) => normalize(join(dirname(file), path)))
        .filter((target) => layerOf(target) !== layerOf(file))
        .filter((target) => !(order.indexOf(layerOf(target)) < order.indexOf(layerOf(file))))
        .map((target) => `${file} imports ${target}`),
    );
    expect(against).toEqual([]);
  });

  it(`The ordered list for ${folder} contains all of its folders and files`, () => {
    expect(new Set(files.map(layerOf))).toEqual(new Set(order));
  });
});

it('Each style sheet that a component imports exists, which types do not check', () => {
  const source = join(root, 'packages/web/src');
  const missing = globSync('**/*.tsx', { cwd: source }).flatMap((file) =>
    importsOf(join(source, file)).filter((path) => path.endsWith('.css') && !existsSync(join(source, dirname(file), path))),
  );
  expect(missing).toEqual([]);
});

const layerOf = (file: string): string => file.split(sep)[0] ?? '';

/** The relative paths that a file imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].flatMap(([, path]) => path ?? []);
}
