import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Runs the linter with the project's rules on the given files. */
function lint(files: Record<string, string>): { readonly passes: boolean; readonly output: string } {
  const project = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    copyFileSync(join(root, '.oxlintrc.json'), join(project, '.oxlintrc.json'));
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), content);
    }
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--deny-warnings'], { cwd: project });
    return { passes: status === 0, output: String(stdout) };
  } finally {
    rmSync(project, { recursive: true });
  }
}

const use = (from: string) => `import { thing } from '${from}';\nexport const used = thing;\n`;

describe('The lint run', () => {
  it.each([
    ['protocol', 'packages/protocol/src/a.ts', 'node:fs'],
    ['protocol', 'packages/protocol/src/a.ts', '@engawa/client'],
    ['markup', 'packages/markup/src/a.ts', '@engawa/protocol'],
    ['markup', 'packages/markup/src/a.ts', 'node:fs'],
    ['folding', 'packages/folding/src/a.ts', '@engawa/protocol'],
    ['folding', 'packages/folding/src/a.ts', 'node:fs'],
    ['client', 'packages/client/src/a.ts', '@engawa/chat-server'],
    ['client', 'packages/client/src/a.ts', '@engawa/markup'],
    ['client', 'packages/client/src/a.ts', 'node:http'],
    ['chat-server', 'packages/chat-server/src/a.ts', '@engawa/server'],
    ['chat-server', 'packages/chat-server/src/a.ts', '@engawa/client'],
    ['server', 'packages/server/src/a.ts', '@engawa/web'],
    ['server', 'packages/server/src/a.ts', '@engawa/markup'],
    ['web', 'packages/web/src/app/a.ts', '@engawa/chat-server/database'],
    ['model', 'packages/web/src/model/a.ts', 'react'],
    ['model', 'packages/web/src/model/a.ts', '../features/chat/b.ts'],
    ['a feature', 'packages/web/src/features/chat/a.ts', '../streams/b.ts'],
    ['a feature', 'packages/web/src/features/chat/a.ts', '../../app/b.ts'],
    ['a feature', 'packages/web/src/features/chat/a.ts', '../../features/emoji/b.ts'],
    ['a folder of a feature', 'packages/web/src/features/chat/list/a.ts', '../../streams/b.ts'],
    ['hooks', 'packages/web/src/hooks/a.ts', '../app/b.ts'],
    ['chat-server by a path', 'packages/chat-server/src/a.ts', '../../server/src/b.ts'],
    ['server by a path', 'packages/server/src/a.ts', '../../web/src/model/b.ts'],
    ['chat-server by a path', 'packages/chat-server/src/a.ts', '../../markup/src/b.ts'],
    ['web by a path', 'packages/web/src/app/a.ts', '../../../folding/src/b.ts'],
    ['web by a path', 'packages/web/src/app/a.ts', '../../../chat-server/src/b.ts'],
  ])('fails when %s (%s) imports %s', (_, file, forbidden) => {
    const { passes, output } = lint({ [file]: use(forbidden) });
    expect(passes).toBe(false);
    expect(output).toContain('docs/architecture.md, Imports');
  });

  it('passes the allowed imports', () => {
    const allowed = {
      'packages/client/src/a.ts': use('@engawa/protocol'),
      'packages/chat-server/src/a.ts': use('@engawa/markup'),
      'packages/chat-server/src/b.ts': use('@engawa/folding'),
      'packages/server/src/a.ts': use('@engawa/chat-server'),
      'packages/server/src/b.ts': use('@engawa/folding/romaji'),
      'packages/web/src/features/chat/a.ts': use('../../model/b.ts'),
      'packages/web/src/features/chat/c.ts': use('./a.ts').replaceAll('thing', 'used'),
      'packages/web/src/model/b.ts': use('@engawa/client'),
      'packages/web/src/app/d.ts': use('@engawa/markup'),
      'packages/web/src/i18n/e.ts': use('@engawa/folding'),
    };
    expect(lint(allowed)).toMatchObject({ passes: true });
  });

  it('fails on a cycle of imports', () => {
    const cycle = { 'packages/client/src/a.ts': use('./b.ts'), 'packages/client/src/b.ts': use('./a.ts') };
    expect(lint(cycle).output).toContain('import(no-cycle)');
  });

  it('[R1.3] fails on text in a component', () => {
    const component = 'export const Greeting = () => <p>こんにちは</p>;\n';
    expect(lint({ 'packages/web/src/features/chat/Greeting.tsx': component }).passes).toBe(false);
  });

  it('fails on any, on a non-null assertion, on @ts-ignore and on console', () => {
    expect(lint({ 'packages/client/src/a.ts': 'export const a: any = 1;\n' }).passes).toBe(false);
    expect(lint({ 'packages/client/src/a.ts': 'export const a = (b?: string) => b!;\n' }).passes).toBe(false);
    expect(lint({ 'packages/client/src/a.ts': '// @ts-ignore\nexport const a = 1;\n' }).passes).toBe(false);
    expect(lint({ 'packages/client/src/a.ts': "console.log('a');\n" }).passes).toBe(false);
  });
});
