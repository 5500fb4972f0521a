import type { ChatBackend, Directory } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { atOnce } from '@engawa/chat-server/parts';
import { type Role, roles } from '@engawa/protocol';
import type { ImportResult, OrganisationDifference } from '@engawa/protocol/administration';
import type { AuthMode } from '@engawa/protocol/product';
import { z } from 'zod';
import type { Accounts } from '../accounts/accounts.ts';
import { type DepartmentRow, departments, departmentsByUser } from '../departments/store.ts';
import { Failure } from '../log/failure.ts';
import { RefusedError } from '../http/errors.ts';
import { DepartmentPaths, pathIn, pathsOf } from '../import/departmentPaths.ts';
import { createImporter, importFile } from '../import/importer.ts';
import { faultInWords } from '../import/words.ts';
import { newDepartmentCode, type Organisation } from '../organisation/organisation.ts';
import { profilesByUser } from '../profile/store.ts';
import { refusalInWords } from './refusals.ts';
import { timeText } from '../log/format.ts';
import { recentLines } from '../log/recent.ts';

export const roleNames = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const;

export const operatorRequest = z.discriminatedUnion('command', [
  z.object({
    command: z.literal('user create'),
    email: z.string().trim(),
    name: z.string(),
    role: z.enum(roleNames),
    /** Names, paths or codes; the main department comes first. */
    departments: z.array(z.string()),
  }),
  z.object({ command: z.literal('user reset-password'), email: z.string().trim() }),
  z.object({ command: z.literal('user list') }),
  z.object({ command: z.literal('setup-code') }),
  z.object({ command: z.literal('support') }),
  z.object({ command: z.literal('import'), file: z.base64(), apply: z.boolean() }),
]);
export type OperatorRequest = z.output<typeof operatorRequest>;

export const operatorAnswer = z.object({ done: z.boolean(), lines: z.array(z.string()) });
export type OperatorAnswer = z.output<typeof operatorAnswer>;

/** Runs with the operator's rights: above every role. */
export type OperatorCommands = (request: OperatorRequest) => Promise<OperatorAnswer>;

type PeopleRequest = Exclude<OperatorRequest, { readonly command: 'support' }>;
/** The commands that exist only if the product manages people. */
export type PeopleCommands = (request: PeopleRequest) => Promise<OperatorAnswer>;

export interface PeopleDependencies {
  readonly database: Database;
  readonly chat: ChatBackend;
  readonly directory: Directory;
  readonly organisation: Organisation;
  readonly accounts: Accounts;
  readonly authMode: AuthMode;
  /** Undefined once there is an organisation. */
  readonly setupCode: () => string | undefined;
}

/** @param people undefined in front of a Zulip server. @param metrics in the text format of Prometheus */
export function withSupport(people: PeopleCommands | undefined, metrics: () => Promise<string>): OperatorCommands {
  return async (request) => {
    // The metrics, then the last lines of the log.
    if (request.command === 'support') return { done: true, lines: [await metrics(), ...recentLines()] };
    if (people) return people(request);
    return {
      done: false,
      lines: ['Zulip サーバーの前では使えません。 / This command does not work in front of a Zulip server.'],
    };
  };
}

export function createPeopleCommands(dependencies: PeopleDependencies): PeopleCommands {
  const importer = createImporter(dependencies);
  const answerTo = (request: PeopleRequest): Promise<OperatorAnswer> | OperatorAnswer => {
    switch (request.command) {
      case 'user create':
        return createUser(dependencies, request);
      case 'user reset-password':
        return resetPassword(dependencies, request.email);
      case 'user list':
        return listUsers(dependencies);
      case 'setup-code':
        return showSetupCode(dependencies);
      case 'import':
        return importPeople(dependencies, importer, request);
    }
  };
  return async (request) => {
    try {
      return await answerTo(request);
    } catch (error) {
      if (error instanceof RefusedError) return { done: false, lines: [refusalInWords(error)] };
      if (error instanceof Failure) return { done: false, lines: [error.message] };
      throw error;
    }
  };
}

type RequestFor<Command> = Extract<PeopleRequest, { readonly command: Command }>;

async function createUser(dependencies: PeopleDependencies, request: RequestFor<'user create'>): Promise<OperatorAnswer> {
  const { database, directory, organisation } = dependencies;
  const { email, name, role } = request;
  const all = departments.all(database.reader);
  const codes = request.departments.map((named) => codeOf(all, named));
  if (directory.accounts.byEmail(email)) {
    throw new Failure(`${email} のメンバーはすでにいます。`, `A member with ${email} already exists.`);
  }
  const member = { fullName: name, role: roleNumbers[role], departments: codes };
  const userId = await organisation.addMember(email, () => member, 'console');
  const made = `メンバーを作りました: ${name} <${email}> / Created member: ${name} <${email}>`;
  return { done: true, lines: [made, ...(await linkLines(dependencies, userId))] };
}

async function resetPassword(dependencies: PeopleDependencies, email: string): Promise<OperatorAnswer> {
  const account = dependencies.directory.accounts.byEmail(email);
  if (!account) throw new Failure(`${email} のメンバーはいません。`, `There is no member with ${email}.`);
  if (dependencies.authMode === 'fake') {
    throw new Failure('AUTH_MODE=fake ではパスワードを使いません。', 'With AUTH_MODE=fake nobody has a password.');
  }
  return { done: true, lines: await linkLines(dependencies, account.id) };
}

async function linkLines({ accounts, authMode }: PeopleDependencies, userId: number): Promise<string[]> {
  if (authMode === 'fake') return [];
  const { link, ends, mailed } = await accounts.passwordLink(userId, 'console');
  return [
    `パスワードを決める 1 回限りのリンク（${timeText(ends, 'ja-JP')} まで）: / A link for setting the password, usable once, until ${timeText(ends, 'en-GB')}:`,
    link,
    ...(mailed ? ['メールでも送りました。 / It was also sent by mail.'] : []),
  ];
}

function showSetupCode({ setupCode }: PeopleDependencies): OperatorAnswer {
  const code = setupCode();
  if (code !== undefined) return { done: true, lines: [code] };
  throw new Failure('組織はもうあります。', 'There is an organisation already.');
}

function listUsers({ database, directory }: PeopleDependencies): OperatorAnswer {
  const { people } = atOnce(directory.overview({ userIds: [], emails: [], streamIds: [], also: 'everybody' }));
  const ids = people.map(({ userId }) => userId);
  const { names, posts, profileOf } = database.snapshot((reader) => ({
    names: new Map(departments.all(reader).map(({ department_cd, display_name }) => [department_cd, display_name])),
    posts: departmentsByUser(reader, ids),
    profileOf: profilesByUser(reader, ids),
  }));
  const lines = people.map(({ userId, email, fullName, role, isActive, hasPassword }) => {
    const own = (posts.get(userId) ?? []).map((code) => names.get(code) ?? code);
    const state = isActive ? (hasPassword ? 'active' : 'no-password') : 'inactive';
    return [userId, email, fullName, nameOfRole(role), state, own.join(','), profileOf.get(userId)?.title ?? ''].join('\t');
  });
  return { done: true, lines: ['id\temail\tname\trole\tstate\tdepartments\ttitle', ...lines] };
}

async function importPeople(
  { authMode }: PeopleDependencies,
  importer: ReturnType<typeof createImporter>,
  { file, apply }: RequestFor<'import'>,
): Promise<OperatorAnswer> {
  const { preview, done } = await importFile(importer, Buffer.from(file, 'base64'), { by: 'console', apply });
  const { difference, faults, fault_count: count } = preview;
  if (!difference) {
    const more = count > faults.length ? [`… (${count})`] : [];
    const end = `誤りが ${count} 件あります。直してから、もう一度実行してください。 / ${count} errors; nothing was changed. Fix them and run the command again.`;
    return {
      done: false,
      lines: [...faults.map((fault) => `${faultInWords(fault, 'ja')} / ${faultInWords(fault, 'en')}`), ...more, end],
    };
  }
  const lines = differenceLines(done?.difference ?? difference);
  if (!done) {
    return {
      done: true,
      lines: [
        ...lines,
        '確認だけで、何も変えていません。反映するには --apply を付けてください。 / Nothing was changed. Add --apply to apply it.',
      ],
    };
  }
  return { done: true, lines: [...lines, '反映しました。 / Done.', ...(authMode === 'fake' ? [] : waitingLines(done))] };
}

function waitingLines({ without_password: waiting }: ImportResult): string[] {
  if (waiting.length === 0) return [];
  return [
    `パスワードのないメンバーが ${waiting.length} 人います。engawa user reset-password でリンクを作れます。` +
      ` / ${waiting.length} members have no password. Create links with engawa user reset-password.`,
    ...waiting.map(({ email, full_name: name }) => `  ${name} <${email}>`),
  ];
}

function differenceLines({ departments: changed, members, joins, leaves }: OrganisationDifference): string[] {
  return [
    ...each('部署を作る / new department', changed.made),
    ...each('部署を移す / department moved', changed.moved),
    ...each(
      '部署の名前を変える / department renamed',
      changed.renamed.map(({ from, to }) => `${from} → ${to}`),
    ),
    ...each(
      'メンバーを加える / new member',
      members.made.map(({ email, full_name: name }) => `${name} <${email}>`),
    ),
    ...each(
      'メンバーを変える / member changed',
      members.changed.map(({ email, full_name: name, what }) => `${name} <${email}> (${what.join(', ')})`),
    ),
    ...each(
      'ストリームに入る / joins',
      joins.map(({ stream, full_name: name }) => `${name} → ${stream}`),
    ),
    ...each(
      'ストリームから出る / leaves',
      leaves.map(({ stream, full_name: name }) => `${name} ← ${stream}`),
    ),
    `変わらないメンバー / unchanged members: ${members.same}`,
  ];
}

const roleNumbers: Readonly<Record<(typeof roleNames)[number], Role>> = roles;

const each = (words: string, names: readonly string[]) => names.map((name) => `${words}: ${name}`);

function nameOfRole(role: Role): string {
  return roleNames.find((name) => roleNumbers[name] === role) ?? String(role);
}

const mostMeant = 10;

/** @param named a code, a name, or a path as in a file: 大阪支社/営業部/第一課. */
function codeOf(all: readonly DepartmentRow[], named: string): string {
  if (all.some(({ department_cd: code }) => code === named)) return named;
  const paths = new DepartmentPaths(all, newDepartmentCode);
  const found = paths.codeOf(pathIn(named));
  // A path whose department does not exist is refused here, because only an import creates departments.
  if ('code' in found && paths.made.length === 0) return found.code;
  if ('fault' in found && found.fault === 'department-ambiguous') {
    const meant = [...pathsOf(all).values()]
      .filter((path) => `/${path}`.endsWith(`/${named}`))
      .slice(0, mostMeant)
      .join(', ');
    throw new Failure(
      `${named} という部署は複数あります。上の部署から指定してください: ${meant}`,
      `Several departments are called ${named}. Include the departments above it.`,
    );
  }
  throw new Failure(`${named} という部署はありません。`, `There is no department ${named}.`);
}
