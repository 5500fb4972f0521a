import type { Database } from '@engawa/chat-server/database';
import type { Durations } from '@engawa/chat-server/parts';
import type { Mailer } from '../accounts/mailer.ts';
import { lastBackup } from '../backup/lastBackup.ts';
import { productVersion } from '../backup/manifest.ts';
import type { ChatBackend } from '../chat/backend.ts';
import type { OutgoingPosts } from '../hooks/outgoing/posts.ts';
import type { CallFigures } from './callFigures.ts';
import { lookAtDisk } from './disk.ts';
import { bytesOfFiles } from './store.ts';
import { MetricsText } from './text.ts';

export interface MetricsDependencies {
  readonly dataDirectory: string;
  readonly database: Database;
  readonly chat: Pick<ChatBackend, 'measure'>;
  readonly calls: CallFigures;
  readonly loopDelays: Durations;
  /** Undefined if the product sends no mail. */
  readonly mails: Mailer['counts'] | undefined;
  /** Undefined if the chat server posts itself. */
  readonly hookPosts: Pick<OutgoingPosts, 'counts' | 'waiting'> | undefined;
  readonly now: () => number;
}

const send = 'POST /api/v1/messages';
const signIns = ['POST /api/session', 'POST /api/v1/fetch_api_key'];
/** Milliseconds for which the sum of all files is reused. */
const filesHold = 5 * 60_000;

export type Figures = Awaited<ReturnType<Metrics['look']>>;

export class Metrics {
  readonly #dependencies: MetricsDependencies;
  #files: { readonly at: number; readonly bytes: number } | undefined;

  constructor(dependencies: MetricsDependencies) {
    this.#dependencies = dependencies;
  }

  async look() {
    const { dataDirectory, database, chat, calls, loopDelays, mails, hookPosts } = this.#dependencies;
    const [disk, backup] = await Promise.all([lookAtDisk(dataDirectory), lastBackup(dataDirectory)]);
    return {
      calls,
      sends: calls.count(send, [200]),
      failedSignIns: signIns.reduce((sum, name) => sum + calls.count(name, [401, 429]), 0),
      loopDelays,
      mails,
      hookPosts: hookPosts && { counts: hookPosts.counts, waiting: hookPosts.waiting },
      chat: chat.measure?.(),
      commits: database.commits,
      waitingChanges: database.waitingChanges,
      disk: { ...disk, fileBytes: this.#bytesOfFiles() },
      /** Unix seconds; null: never. */
      backup,
    };
  }

  async text(): Promise<string> {
    return textOf(await this.look());
  }

  #bytesOfFiles(): number {
    const { database, now } = this.#dependencies;
    if (!this.#files || Math.abs(now() - this.#files.at) >= filesHold) {
      this.#files = { at: now(), bytes: bytesOfFiles(database.reader) ?? 0 };
    }
    return this.#files.bytes;
  }
}

function textOf({ calls, chat, disk, mails, hookPosts, ...figures }: Figures): string {
  const text = new MetricsText();
  const all = [...calls.byCall];
  text.add('gauge', 'info', 'Versions.', [[{ version: productVersion, node: process.versions.node }, 1]]);
  text.add('gauge', 'start_time_seconds', 'When the process started.', [[{}, performance.timeOrigin / 1000]]);
  const { user, system } = process.cpuUsage();
  text.add('counter', 'cpu_seconds_total', 'Processor time of the process.', [[{}, (user + system) / 1e6]]);
  text.add('gauge', 'memory_bytes', 'Resident memory of the process.', [[{}, process.memoryUsage.rss()]]);
  text.addDurations('event_loop_delay_seconds', 'How much later than due a timer runs.', [[{}, figures.loopDelays]]);
  text.add(
    'counter',
    'calls_total',
    'Finished calls, without polls that waited and got events. Status 0: the client left before the answer.',
    all.flatMap(([call, { statuses }]) => [...statuses].map(([status, count]) => [{ call, status }, count] as const)),
  );
  text.addDurations(
    'call_duration_seconds',
    'From the request to the end of the answer, without calls that wait for events.',
    all.map(([call, { durations }]) => [{ call }, durations]),
  );
  text.add('counter', 'messages_sent_total', 'Messages that were sent by calls.', [[{}, figures.sends]]);
  text.add('counter', 'deliveries_total', 'Polls that waited and got their events.', [[{}, calls.deliveries]]);
  text.add('gauge', 'waiting_polls', 'Polls that wait for events: about one per open screen.', [[{}, chat?.waitingPolls]]);
  text.add('counter', 'sign_ins_failed_total', 'Sign-ins that were refused.', [[{}, figures.failedSignIns]]);
  text.addDurations('commit_duration_seconds', 'Commits, with their changes and the sync of the disk.', [
    [{ database: 'engawa' }, figures.commits],
    [{ database: 'chat' }, chat?.commits],
  ]);
  text.add('gauge', 'waiting_changes', 'Changes that wait for a commit.', [
    [{ database: 'engawa' }, figures.waitingChanges],
    [{ database: 'chat' }, chat?.waitingChanges],
  ]);
  text.add('gauge', 'search_lag_events', 'Logged events that the search index does not have yet.', [[{}, chat?.searchLag]]);
  const sizes = Object.entries(disk.databases).map(([database, bytes]) => [{ database }, bytes] as const);
  text.add('gauge', 'database_bytes', 'Databases with their write-ahead logs.', sizes);
  text.add('gauge', 'files_bytes', 'Uploaded files, counted every five minutes.', [[{}, disk.fileBytes]]);
  text.add('gauge', 'disk_free_bytes', 'Free space of the disk with DATA_DIR.', [[{}, disk.freeBytes]]);
  text.add('gauge', 'disk_bytes', 'Size of the disk with DATA_DIR.', [[{}, disk.totalBytes]]);
  text.add('gauge', 'last_backup_time_seconds', 'When the last backup finished.', [[{}, figures.backup]]);
  text.add(
    'counter',
    'mails_total',
    'Mails by result.',
    mails ? Object.entries(mails).map(([result, count]) => [{ result }, count]) : [],
  );
  text.add(
    'counter',
    'hook_posts_total',
    'Posts of outgoing hooks by result. Failed ones are repeated; dropped ones failed for a day.',
    hookPosts ? Object.entries(hookPosts.counts).map(([result, count]) => [{ result }, count]) : [],
  );
  text.add('gauge', 'hooks_waiting', 'Outgoing hooks whose post failed and is going to be repeated.', [[{}, hookPosts?.waiting]]);
  return text.toString();
}
