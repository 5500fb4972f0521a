#!/usr/bin/env node
// `npx engawa …`: builds what is missing or stale and runs a command. The build logs to stderr.
import { runBuilt } from './withNode.mjs';

console.log = console.error;
const isStart = process.argv[2] === 'start';
await runBuilt(import.meta.filename, ({ build, buildServer }) => (isStart ? build() : buildServer()), 'engawa.mjs');
