import { runCommand } from './run.ts';

// Only their owner can read the files that commands create.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
});
