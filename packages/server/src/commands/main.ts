import { runCommand } from './run.ts';

// Files that commands create are readable by their owner only.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
});
