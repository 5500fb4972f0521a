// Type-checks every room with its own surroundings: protocol without a machine, web without Node.
import { spawn } from 'node:child_process';

const rooms = [
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
  rooms.map(
    (room) =>
      new Promise((resolve) => {
        // There are more rooms than processors, so that threads of one would only do again what others do.
        spawn('tsc', ['-p', room, '--pretty', '--singleThreaded'], { stdio: 'inherit' }).on('exit', resolve);
      }),
  ),
);
process.exit(codes.every((code) => code === 0) ? 0 : 1);
