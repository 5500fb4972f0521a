/** Prometheus reads the alerts and the example of the operator's guide. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { examplesOf } from '../testing/guide.ts';

const program = '/usr/bin/promtool';
const missing = existsSync(program) ? undefined : `${program} is not installed (apt-get install prometheus)`;
const alerts = join(import.meta.dirname, '../../../../docs/monitoring/alerts.yaml');

function promtool(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

it('Each alert fires when it should, and not when it should not', ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const tested = promtool('test', 'rules', join(import.meta.dirname, 'alerts.promtool.yaml'));
  expect(tested).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
});

it('Prometheus accepts the configuration in the guide, with all five alerts', ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const directory = mkdtempSync(join(tmpdir(), 'engawa-prometheus-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [example = ''] = examplesOf('yaml').filter((text) => text.includes('scrape_configs'));
  const [configuration, token] = [join(directory, 'prometheus.yaml'), join(directory, 'token')];
  writeFileSync(token, 'token');
  const given = example.replace('/etc/prometheus/engawa-token', token).replace('engawa-alerts.yaml', alerts);
  expect(given).not.toBe(example);
  writeFileSync(configuration, given);
  const checked = promtool('check', 'config', configuration);
  expect(checked).toEqual({ status: 0, said: expect.stringContaining('5 rules found') });
});
