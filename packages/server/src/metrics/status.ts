import { type ServerStatus, type StatusSeries, administrationPaths } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { productVersion } from '../backup/manifest.ts';
import type { Configuration } from '../configuration.ts';
import { examineRunning } from '../doctor/doctor.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Gate } from '../sessions/member.ts';
import type { Metrics } from './metrics.ts';
import type { Samples } from './samples.ts';

export interface StatusDependencies {
  readonly configuration: Configuration;
  readonly metrics: Metrics;
  readonly samples: Samples;
  readonly gate: Pick<Gate, 'administrator'>;
  readonly now: () => number;
}

/** Milliseconds for which findings are reused, because some checks ask other servers. */
const findingsHold = 60_000;

/** GET /api/administration/status: how the server is doing, for administrators. */
export function statusRoute(app: FastifyInstance, { configuration, metrics, samples, gate, now }: StatusDependencies): void {
  let examined: { readonly at: number; readonly findings: Promise<Finding[]> } | undefined;
  const examine = () => {
    if (!examined || Math.abs(now() - examined.at) >= findingsHold) {
      examined = { at: now(), findings: examineRunning(configuration, now()) };
    }
    return examined.findings;
  };
  app.get(administrationPaths.status, async (request, reply) => {
    await gate.administrator(request);
    const [{ disk, backup }, findings] = await Promise.all([metrics.look(), examine()]);
    const [day, week] = [samples.lastDay(), samples.lastWeek()];
    const { engawa, chat, search } = disk.databases;
    const answer: ServerStatus = {
      version: productVersion,
      node: process.versions.node,
      started: Math.floor(performance.timeOrigin / 1000),
      last_backup: backup,
      disk: {
        free_bytes: disk.freeBytes,
        database_bytes: engawa + chat + search,
        file_bytes: disk.fileBytes,
        days_left: daysLeft(week),
      },
      findings: findings.map(({ level, ja, en }) => ({ level, ja, en })),
      day,
      week,
    };
    return reply.header('Cache-Control', 'private, no-store').send(answer);
  });
}

const secondsOfDay = 24 * 60 * 60;
const longestForecast = 1000;

/** The days until the disk is full if it fills as it did since the first sample; null: it does not, or a day is not over yet. */
export function daysLeft({ times, values: { free_bytes: free } }: StatusSeries): number | null {
  const days = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / secondsOfDay;
  const [first, last] = [free[0] ?? 0, free.at(-1) ?? 0];
  if (days < 1 || last >= first) return null;
  const left = Math.floor(last / ((first - last) / days));
  return left > longestForecast ? null : left;
}
