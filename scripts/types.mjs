// Type-checks every package with its own libraries: protocol without Node and DOM, web without Node.
import { spawn } from 'node:child_process';

const projects = [
  'packages/protocol',
  'packages/folding',
  'packages/markup',
  'packages/client',
  'packages/chat-server',
  'packages/server',
  'packages/web',
  'packages/web/tsconfig.build.json',
  'packages/web/tsconfig.serviceWorker.json',
  'e2e',
];

const codes = await Promise.all(
  projects.map(
    (project) =>
      new Promise((resolve) => {
        // There are more projects than processors, so threads inside one would gain nothing.
        spawn('tsc', ['-p', project, '--pretty', '--singleThreaded'], { stdio: 'inherit' }).on('exit', resolve);
      }),
  ),
);
process.exit(codes.every((code) => code === 0) ? 0 : 1);
