import { z } from 'zod';
import { type HookMessage, PayloadError, card, colours, fields, markdown, plainNote, title } from './message.ts';

const named = z.object({ name: z.string() }).nullish();
const person = z
  .object({
    name: z.string().nullish(),
    firstname: z.string().nullish(),
    lastname: z.string().nullish(),
    login: z.string().nullish(),
  })
  .nullish();
const issue = z.object({
  id: z.number(),
  subject: z.string(),
  description: z.string().nullish(),
  project: named,
  tracker: named,
  status: named,
  priority: named,
  author: person,
  assignee: person,
  assigned_to: person,
  due_date: z.string().nullish(),
  done_ratio: z.number().nullish(),
});
const journal = z.object({ notes: z.string().nullish(), author: person, user: person }).nullish();

/** The webhooks of Redmine itself, since version 7. They carry no address of the issue. */
const core = z.object({ type: z.enum(['issue.created', 'issue.updated', 'issue.deleted']), data: z.object({ issue, journal }) });
/** The plug-in redmine_webhook: https://github.com/suer/redmine_webhook */
const plugin = z.object({
  payload: z.object({ action: z.string(), issue, journal, url: z.string().nullish() }),
});

const events = {
  created: { done: 'チケットを作成しました', color: colours.warning },
  updated: { done: 'チケットを更新しました', color: colours.neutral },
  deleted: { done: 'チケットを削除しました', color: colours.danger },
} as const;

export function redmineMessage(body: unknown): HookMessage {
  const { kind, url, ...data } = read(body);
  const { id, subject, description, project, tracker, status, priority, due_date, done_ratio } = data.issue;
  const { done, color } = events[kind];
  const by = nameOf(data.journal ? (data.journal.user ?? data.journal.author) : data.issue.author);
  return {
    topic: project?.name ?? 'Redmine',
    cards: [
      card(
        color,
        plainNote(`${by === '' ? '' : `${by} さんが`}${done}`),
        title(`${tracker ? `${tracker.name} ` : ''}#${id}: ${subject}`, url),
        markdown(kind === 'updated' ? data.journal?.notes : description),
        fields({
          状態: status?.name,
          優先度: priority?.name,
          担当者: nameOf(data.issue.assigned_to ?? data.issue.assignee),
          期日: due_date,
          進捗率: done_ratio ? `${done_ratio}%` : undefined,
        }),
        plainNote(project?.name),
      ),
    ],
  };
}

function read(body: unknown) {
  const fromCore = core.safeParse(body);
  if (fromCore.success) {
    const kind = kindOf(fromCore.data.type.slice('issue.'.length));
    return { kind, url: undefined, ...fromCore.data.data };
  }
  const fromPlugin = plugin.safeParse(body);
  if (!fromPlugin.success) throw new PayloadError('invalid_payload');
  return { kind: kindOf(fromPlugin.data.payload.action), ...fromPlugin.data.payload };
}

function kindOf(action: string): keyof typeof events {
  if (action === 'created' || action === 'opened') return 'created';
  return action === 'deleted' ? 'deleted' : 'updated';
}

function nameOf(who: z.output<typeof person>): string {
  if (!who) return '';
  const name = who.name ?? [who.lastname, who.firstname].filter((part) => part).join(' ');
  return name === '' ? (who.login ?? '') : name;
}
