import { z } from 'zod';
import { type HookMessage, PayloadError, card, colours, fields, markdown, plainNote, plainText, title } from './message.ts';

const named = z.object({ name: z.string().nullish() }).nullish();
const text = z.union([z.string(), z.number()]).transform(String).nullish();
const change = z.object({ field: z.string(), field_text: z.string().nullish(), old_value: text, new_value: text });
const content = z.object({
  key_id: z.number().nullish(),
  summary: z.string().nullish(),
  description: z.string().nullish(),
  name: z.string().nullish(),
  content: z.string().nullish(),
  status: named,
  priority: named,
  assignee: named,
  issueType: named,
  dueDate: z.string().nullish(),
  comment: z.object({ content: z.string().nullish() }).nullish(),
  changes: z.array(change).nullish(),
  link: z.array(z.object({ key_id: z.number(), title: z.string() })).nullish(),
  repository: named,
  number: z.number().nullish(),
  ref: z.string().nullish(),
  revisions: z.array(z.object({ comment: z.string().nullish() })).nullish(),
});
const payload = z.object({
  type: z.number().int(),
  project: z.object({ projectKey: z.string(), name: z.string().nullish() }),
  content,
  createdUser: named,
});

/** The values of `type`: https://developer.nulab.com/docs/backlog/api/2/get-recent-updates/ */
const activities: ReadonlyMap<number, { readonly done: string; readonly color: string }> = new Map([
  [1, { done: '課題を追加しました', color: colours.warning }],
  [2, { done: '課題を更新しました', color: colours.neutral }],
  [3, { done: '課題にコメントしました', color: colours.neutral }],
  [4, { done: '課題を削除しました', color: colours.danger }],
  [5, { done: 'Wikiを追加しました', color: colours.good }],
  [6, { done: 'Wikiを更新しました', color: colours.neutral }],
  [7, { done: 'Wikiを削除しました', color: colours.danger }],
  [8, { done: 'ファイルを追加しました', color: colours.good }],
  [9, { done: 'ファイルを更新しました', color: colours.neutral }],
  [10, { done: 'ファイルを削除しました', color: colours.danger }],
  [11, { done: 'Subversionにコミットしました', color: colours.good }],
  [12, { done: 'Gitにプッシュしました', color: colours.good }],
  [13, { done: 'Gitリポジトリを作成しました', color: colours.good }],
  [14, { done: '課題をまとめて更新しました', color: colours.neutral }],
  [17, { done: 'コメントのお知らせを追加しました', color: colours.neutral }],
  [18, { done: 'プルリクエストを追加しました', color: colours.warning }],
  [19, { done: 'プルリクエストを更新しました', color: colours.neutral }],
  [20, { done: 'プルリクエストにコメントしました', color: colours.neutral }],
  [22, { done: 'マイルストーンを追加しました', color: colours.good }],
  [23, { done: 'マイルストーンを更新しました', color: colours.neutral }],
  [24, { done: 'マイルストーンを削除しました', color: colours.danger }],
]);

/** A request has no address of its space. @param space the parameter `space` of the address: `https://….backlog.jp`. */
export function backlogMessage(body: unknown, space?: string): HookMessage {
  const parsed = payload.safeParse(body);
  if (!parsed.success) throw new PayloadError('invalid_payload');
  const { type, project, content: about, createdUser } = parsed.data;
  const { done, color } = activities.get(type) ?? { done: 'プロジェクトを更新しました', color: colours.neutral };
  const key = about.key_id ? `${project.projectKey}-${about.key_id}` : undefined;
  const isNew = type === 1 || type === 18;
  return {
    topic: project.name ?? project.projectKey,
    cards: [
      card(
        color,
        plainNote(`${createdUser?.name ? `${createdUser.name} さんが` : ''}${done}`),
        title(
          titleOf(about, key),
          space !== undefined && key !== undefined ? `${space.replace(/\/+$/, '')}/view/${key}` : undefined,
        ),
        markdown(isNew ? about.description : (about.comment?.content ?? (key === undefined ? about.content : undefined))),
        plainText(
          [
            ...(about.link ?? []).map((issue) => `${project.projectKey}-${issue.key_id} ${issue.title}`),
            ...commentsOf(about),
          ].join('\n'),
        ),
        fields(
          isNew
            ? {
                種別: about.issueType?.name,
                状態: about.status?.name,
                優先度: about.priority?.name,
                担当者: about.assignee?.name,
                期限日: about.dueDate,
              }
            : Object.fromEntries((about.changes ?? []).map(changeOf)),
        ),
        plainNote([project.name ?? project.projectKey, about.repository?.name, about.ref].filter((each) => each).join(' / ')),
      ),
    ],
  };
}

function titleOf({ summary, name, number }: z.output<typeof content>, key: string | undefined): string | undefined {
  if (key !== undefined) return [key, summary].filter((each) => each).join(' ');
  if (number) return `#${number} ${summary ?? ''}`;
  return name ?? summary ?? undefined;
}

const commentsOf = ({ revisions }: z.output<typeof content>): string[] =>
  (revisions ?? []).flatMap(({ comment }) => comment ?? []);

const fieldNames: ReadonlyMap<string, string> = new Map([
  ['status', '状態'],
  ['priority', '優先度'],
  ['assigner', '担当者'],
  ['summary', '件名'],
  ['description', '詳細'],
  ['limitDate', '期限日'],
  ['startDate', '開始日'],
  ['issueType', '種別'],
  ['component', 'カテゴリー'],
  ['version', '発生バージョン'],
  ['milestone', 'マイルストーン'],
  ['resolution', '完了理由'],
  ['estimatedHours', '予定時間'],
  ['actualHours', '実績時間'],
]);

/** Values of a status and of a priority are Backlog's numbers. Statuses that a project has added have other numbers. */
const valueNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: { 1: '未対応', 2: '処理中', 3: '処理済み', 4: '完了' },
  priority: { 2: '高', 3: '中', 4: '低' },
};

function changeOf({ field, field_text, old_value, new_value }: z.output<typeof change>): [string, string] {
  const name = field_text ?? fieldNames.get(field) ?? field;
  if (field === 'description') return [name, '変更あり'];
  const [before, after] = [old_value, new_value].map((value) => valueNames[field]?.[value ?? ''] ?? value ?? '');
  return [name, `${before || '（なし）'} → ${after || '（なし）'}`];
}
