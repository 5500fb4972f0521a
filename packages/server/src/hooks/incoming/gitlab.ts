import { plainSource } from '@engawa/markup/dialects';
import { z } from 'zod';
import {
  type HookMessage,
  PayloadError,
  card,
  colours,
  fields,
  linkSource,
  markdown,
  note,
  plainNote,
  title,
} from './message.ts';

const named = z.object({ name: z.string().nullish(), username: z.string().nullish() }).nullish();
const project = z
  .object({ name: z.string().nullish(), path_with_namespace: z.string().nullish(), web_url: z.string().nullish() })
  .nullish();
const common = { user: named, user_name: z.string().nullish(), project };
const titled = z.object({ iid: z.number().nullish(), title: z.string().nullish(), url: z.string().nullish() }).nullish();

const push = z.object({
  ...common,
  object_kind: z.enum(['push', 'tag_push']),
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  commits: z
    .array(
      z.object({ id: z.string(), title: z.string().nullish(), message: z.string(), url: z.string().nullish(), author: named }),
    )
    .nullish(),
  total_commits_count: z.number().nullish(),
});
const issue = z.object({
  ...common,
  object_kind: z.enum(['issue', 'work_item', 'merge_request']),
  object_attributes: z.object({
    iid: z.number(),
    title: z.string(),
    description: z.string().nullish(),
    url: z.string().nullish(),
    action: z.string().nullish(),
    state: z.string().nullish(),
    source_branch: z.string().nullish(),
    target_branch: z.string().nullish(),
  }),
  assignees: z.array(named).nullish(),
  labels: z.array(z.object({ title: z.string() })).nullish(),
});
const comment = z.object({
  ...common,
  object_kind: z.literal('note'),
  object_attributes: z.object({ note: z.string(), url: z.string().nullish(), noteable_type: z.string().nullish() }),
  issue: titled,
  merge_request: titled,
  commit: z.object({ id: z.string(), message: z.string() }).nullish(),
});
const pipeline = z.object({
  ...common,
  object_kind: z.literal('pipeline'),
  object_attributes: z.object({
    id: z.number(),
    ref: z.string().nullish(),
    status: z.string(),
    duration: z.number().nullish(),
    url: z.string().nullish(),
  }),
  builds: z.array(z.object({ name: z.string(), status: z.string() })).nullish(),
});
const release = z.object({
  ...common,
  object_kind: z.literal('release'),
  name: z.string(),
  tag: z.string(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  action: z.string().nullish(),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const payload = z.discriminatedUnion('object_kind', [push, issue, comment, pipeline, release]);
type Payload = z.output<typeof payload>;

const maxCommits = 10;
const nothing = /^0+$/;

export function gitlabMessage(body: unknown): HookMessage {
  const parsed = payload.safeParse(body);
  if (!parsed.success) throw new PayloadError('invalid_payload');
  const event = parsed.data;
  return {
    topic: event.project?.name ?? 'GitLab',
    cards: [card(...cardOf(event), projectNote(event))],
  };
}

type CardArguments = Parameters<typeof card>;

function cardOf(event: Payload): CardArguments {
  switch (event.object_kind) {
    case 'push':
    case 'tag_push':
      return pushCard(event);
    case 'note':
      return commentCard(event);
    case 'pipeline':
      return pipelineCard(event);
    case 'release':
      return releaseCard(event);
    default:
      return issueCard(event);
  }
}

function pushCard({
  object_kind,
  ref,
  before,
  after,
  commits,
  total_commits_count,
  project: at,
  ...event
}: z.output<typeof push>): CardArguments {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  const what = object_kind === 'push' ? 'ブランチ' : 'タグ';
  const done = nothing.test(after) ? 'を削除しました' : nothing.test(before) ? 'を作成しました' : 'にプッシュしました';
  const total = total_commits_count ?? commits?.length ?? 0;
  // The newest commits come last.
  const shown = (commits ?? []).slice(-maxCommits);
  const lines = shown.map(
    ({ id, title: first, message, url, author }) =>
      `${linkSource(id.slice(0, 8), url)} ${plainSource(`${first ?? firstLine(message)}${author?.name ? ` — ${author.name}` : ''}`)}`,
  );
  if (total > shown.length && shown.length > 0) lines.push(`ほか ${total - shown.length} 件のコミット`);
  const page = nothing.test(after) || !at?.web_url ? undefined : `${at.web_url}/-/tree/${encodeURIComponent(name)}`;
  return [
    nothing.test(after) ? colours.danger : colours.good,
    plainNote(`${by(event)}${what}${done}`),
    title(total > 0 ? `${name}（${total} 件のコミット）` : name, page),
    markdown(lines.join('\n')),
  ];
}

const firstLine = (message: string): string => message.split('\n', 1).join('');

const actions: Readonly<Record<string, { readonly done: string; readonly color: string }>> = {
  open: { done: '作成しました', color: colours.warning },
  close: { done: '閉じました', color: colours.danger },
  reopen: { done: '再び開きました', color: colours.warning },
  update: { done: '更新しました', color: colours.neutral },
  merge: { done: 'マージしました', color: colours.good },
  approved: { done: '承認しました', color: colours.good },
  approval: { done: '承認しました', color: colours.good },
  unapproved: { done: '承認を取り消しました', color: colours.neutral },
  unapproval: { done: '承認を取り消しました', color: colours.neutral },
};

function issueCard({
  object_kind,
  object_attributes: about,
  assignees,
  labels,
  ...event
}: z.output<typeof issue>): CardArguments {
  const isMerge = object_kind === 'merge_request';
  const what = isMerge ? 'マージリクエスト' : object_kind === 'issue' ? 'イシュー' : '作業アイテム';
  // Old versions have no action when the object is new.
  const { done, color } = actions[about.action ?? (about.state === 'opened' ? 'open' : 'update')] ??
    actions['update'] ?? { done: '', color: '' };
  return [
    color,
    plainNote(`${by(event)}${what}を${done}`),
    title(`${isMerge ? '!' : '#'}${about.iid} ${about.title}`, about.url),
    markdown((about.action ?? 'open') === 'open' ? about.description : undefined),
    fields({
      ブランチ: about.source_branch && about.target_branch ? `${about.source_branch} → ${about.target_branch}` : undefined,
      担当者: (assignees ?? [])
        .map((each) => each?.name ?? '')
        .filter((name) => name !== '')
        .join('、'),
      ラベル: (labels ?? []).map((label) => label.title).join('、'),
    }),
  ];
}

function commentCard({
  object_attributes: about,
  issue: onIssue,
  merge_request: onMerge,
  commit,
  ...event
}: z.output<typeof comment>): CardArguments {
  const heading = onMerge
    ? `!${onMerge.iid} ${onMerge.title}`
    : onIssue
      ? `#${onIssue.iid} ${onIssue.title}`
      : commit
        ? `${commit.id.slice(0, 8)} ${firstLine(commit.message)}`
        : 'スニペット';
  return [colours.neutral, plainNote(`${by(event)}コメントしました`), title(heading, about.url), markdown(about.note)];
}

const results: Readonly<Record<string, { readonly done: string; readonly color: string }>> = {
  success: { done: '成功しました', color: colours.good },
  failed: { done: '失敗しました', color: colours.danger },
  canceled: { done: '中止されました', color: colours.neutral },
  running: { done: '実行中です', color: colours.warning },
  pending: { done: '待っています', color: colours.warning },
};

function pipelineCard({ object_attributes: about, builds, project: at }: z.output<typeof pipeline>): CardArguments {
  const { done, color } = results[about.status] ?? { done: `「${about.status}」です`, color: colours.neutral };
  const failed = (builds ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
  return [
    color,
    plainNote(`パイプラインが${done}`),
    title(`#${about.id}`, about.url ?? (at?.web_url ? `${at.web_url}/-/pipelines/${about.id}` : undefined)),
    fields({
      ブランチ: about.ref,
      所要時間: about.duration ? `${Math.round(about.duration)} 秒` : undefined,
      失敗したジョブ: failed.join('、'),
    }),
  ];
}

function releaseCard({ action, name, url, description, tag }: z.output<typeof release>): CardArguments {
  const isDeleted = action === 'delete';
  const done = isDeleted ? '削除' : action === 'create' ? '作成' : '更新';
  return [
    isDeleted ? colours.danger : colours.good,
    plainNote(`リリースを${done}しました`),
    // A deleted release has no page.
    title(name, isDeleted ? undefined : url),
    markdown(description),
    fields({ タグ: tag }),
  ];
}

function by({
  user,
  user_name,
}: {
  readonly user?: z.output<typeof named>;
  readonly user_name?: string | null | undefined;
}): string {
  const name = user?.name ?? user_name;
  return name ? `${name} さんが` : '';
}

function projectNote({ project: at }: Payload) {
  const name = at?.path_with_namespace ?? at?.name;
  return note(name && linkSource(name, at?.web_url));
}
