import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

/** Lints files that are laid out like the project's. @returns The broken rules by file. */
function lint(files: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    const oxlint = join(root, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(oxlint, ['--deny-warnings', '--format', 'json'], { cwd: folder, encoding: 'utf8' });
    const { diagnostics }: { readonly diagnostics: readonly Diagnostic[] } = JSON.parse(stdout);
    return Object.fromEntries(
      Object.keys(files).map((file) => [file, diagnostics.filter((each) => each.filename === file).map(({ code }) => code)]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const use = (from: string) => `import { thing } from '${from}';\nexport const used = thing;\n`;

describe('The lint run', () => {
  it('The lint run fails on each import that docs/architecture.md forbids', () => {
    const forbidden = [
      ['packages/protocol/src', 'node:fs'],
      ['packages/protocol/src', '@engawa/client'],
      ['packages/markup/src', '@engawa/protocol'],
      ['packages/markup/src', 'node:fs'],
      ['packages/folding/src', '@engawa/protocol'],
      ['packages/folding/src', 'node:fs'],
      ['packages/client/src', '@engawa/chat-server'],
      ['packages/client/src', '@engawa/markup'],
      ['packages/client/src', 'node:http'],
      ['packages/chat-server/src', '@engawa/server'],
      ['packages/chat-server/src', '@engawa/client'],
      ['packages/server/src', '@engawa/web'],
      ['packages/server/src', '@engawa/markup'],
      ['packages/server/src/files', '@engawa/chat-server'],
      ['packages/web/src/app', '@engawa/chat-server/database'],
      ['packages/web/src/model', 'react'],
      ['packages/web/src/model', '../features/chat/b.ts'],
      ['packages/web/src/features/chat', '../streams/b.ts'],
      ['packages/web/src/features/chat', '../../app/b.ts'],
      ['packages/web/src/features/chat', '../../features/emoji/b.ts'],
      ['packages/web/src/features/chat/list', '../../streams/b.ts'],
      ['packages/web/src/hooks', '../app/b.ts'],
      ['packages/chat-server/src', '../../server/src/b.ts'],
      ['packages/server/src', '../../web/src/model/b.ts'],
      ['packages/chat-server/src', '../../markup/src/b.ts'],
      ['packages/web/src/app', '../../../folding/src/b.ts'],
      ['packages/web/src/app', '../../../chat-server/src/b.ts'],
    ].map(([folder, from = ''], index) => [`${folder}/forbidden${index}.ts`, use(from)]);
    for (const [file, rules] of Object.entries(lint(Object.fromEntries(forbidden)))) {
      expect(rules, file).toContain('eslint(no-restricted-imports)');
    }
  });

  it('The lint run accepts the imports that docs/architecture.md allows', () => {
    const rules = lint({
      'packages/client/src/a.ts': use('@engawa/protocol'),
      'packages/chat-server/src/a.ts': use('@engawa/markup'),
      'packages/chat-server/src/b.ts': use('@engawa/folding'),
      'packages/server/src/a.ts': use('@engawa/chat-server/parts'),
      'packages/server/src/chat/embedded.ts': use('@engawa/chat-server'),
      'packages/server/src/backup/a.ts': use('@engawa/chat-server'),
      'packages/server/src/b.ts': use('@engawa/folding/romaji'),
      'packages/server/src/hooks/a.ts': use('@engawa/markup'),
      'packages/web/src/features/chat/a.ts': use('../../model/b.ts'),
      'packages/web/src/features/chat/c.ts': use('./a.ts').replaceAll('thing', 'used'),
      'packages/web/src/model/b.ts': use('@engawa/client'),
      'packages/web/src/app/d.ts': use('@engawa/markup'),
      'packages/web/src/i18n/e.ts': use('@engawa/folding'),
    });
    expect(Object.values(rules).flat()).toEqual([]);
  });

  it('The lint run fails on an import cycle', () => {
    const rules = lint({ 'packages/client/src/a.ts': use('./b.ts'), 'packages/client/src/b.ts': use('./a.ts') });
    expect(rules['packages/client/src/a.ts']).toContain('import(no-cycle)');
  });

  it('[R1.3] The lint run fails on text in a component', () => {
    const component = 'packages/web/src/features/chat/Greeting.tsx';
    expect(lint({ [component]: 'export const Greeting = () => <p>こんにちは</p>;\n' })[component]).not.toEqual([]);
  });

  it('The lint run fails on `any`, a non-null assertion, a silenced check and a forgotten console call', () => {
    const rules = lint({
      'packages/client/src/a.ts': 'export const a: any = 1;\n',
      'packages/client/src/b.ts': 'export const a = (b?: string) => b!;\n',
      'packages/client/src/c.ts': '// @ts-ignore\nexport const a = 1;\n',
      'packages/client/src/d.ts': "console.log('a');\n",
    });
    expect(Object.values(rules).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  });
});
