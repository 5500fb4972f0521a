import { runCommand } from './run.ts';

// Whatever a command makes is its owner's alone to read.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
});
