import { randomUUID } from 'node:crypto';
import type { Actor, Asker, ChatBackend, OrganisationDirectory } from '../chat/backend.ts';
import { type Database, DatabaseClosedError } from '@engawa/chat-server/database';
import { type OrganisationDifference, maxImportRows } from '@engawa/protocol/administration';
import { RefusedError, refused } from '../http/errors.ts';
import { withRefusals } from '../http/chatRefusal.ts';
import type { Log } from '../log/log.ts';
import { profiles } from '../profile/store.ts';
import { Turns } from '../http/turns.ts';
import { isEmptyChange } from './change.ts';
import { createExecution } from './execution.ts';
import type { AppliedPlan, OrganisationPlan, PlannedMember } from './plan.ts';
import { type PreparedPlan, prepare } from './prepare.ts';
import { stateFor } from './state.ts';

/** The only way to change people and departments; see `docs/decisions/022-organisation-plans.md`. */
export interface Organisation {
  /** @param create creates the organisation in the chat server. @returns the owner's user id. */
  create(create: () => Promise<number>): Promise<number>;
  preview(plan: OrganisationPlan, by: Actor | Asker): Promise<OrganisationDifference>;
  /** Applies all or nothing, by the actor's current role. @throws RefusedError; TO_BE_COMPLETED: the change follows later. */
  apply(plan: OrganisationPlan | PlanNow, by: Actor | Asker): Promise<AppliedPlan>;
  /** Like `apply`. @param member is called when the turn comes. @returns the user id. @throws RefusedError EMAIL_IN_USE */
  addMember(email: string, member: () => Omit<PlannedMember, 'email' | 'userId'>, by: Actor | Asker): Promise<number>;
  /** Completes an interrupted change before the product listens. A failure is logged and retried with growing delays. */
  resume(): Promise<void>;
}

/** Is called when the turn of the plan comes. */
type PlanNow = () => OrganisationPlan | Promise<OrganisationPlan>;

export interface OrganisationDependencies {
  readonly database: Database;
  readonly chat: Pick<ChatBackend, 'directoryAs'>;
  readonly endSessions: (userId: number) => Promise<unknown>;
  readonly log: Log;
  /** Milliseconds; the delay doubles each time. */
  readonly retryDelay?: number;
}

const defaultRetryDelay = 5000;
/** Milliseconds. Long, because a retry may block the main thread for seconds and nobody waits for it. */
const maxRetryDelay = 10 * 60_000;

export function newDepartmentCode(): string {
  return randomUUID();
}

export function createOrganisation(dependencies: OrganisationDependencies): Organisation {
  const { database, chat, log, retryDelay = defaultRetryDelay } = dependencies;
  const turns = new Turns();
  const prepared = async (plan: OrganisationPlan, by: Actor | Asker, directory: OrganisationDirectory): Promise<PreparedPlan> => {
    if (plan.members.length > maxImportRows) throw refused.planTooLarge(maxImportRows);
    const { chooseNames } = directory;
    const state = await stateFor(database, directory, plan);
    return withRefusals(prepare(state, plan, { id: randomUUID(), by: typeof by === 'object' ? by.id : by, chooseNames }));
  };

  let failures = 0;
  let retryTimer: NodeJS.Timeout | undefined;
  /** Completes the stored plan later; until then no other plan starts. */
  const scheduleRetry = (error: unknown): void => {
    if (error instanceof DatabaseClosedError) return;
    // A Zulip server is changed only in the name of a person. The next change of an administrator completes this one first.
    if (error instanceof RefusedError) return log({ level: 'warn', event: 'organisation_change_waits' });
    log({ level: 'error', event: 'organisation_change_delayed', error });
    if (retryTimer) return;
    retryTimer = setTimeout(retry, Math.min(retryDelay * 2 ** failures, maxRetryDelay)).unref();
    failures += 1;
  };
  const retry = (): void => {
    retryTimer = undefined;
    void turns.take(0, resume).catch(scheduleRetry);
  };
  /** The last actor. An interrupted change is completed in their name. */
  let actor: Actor | Asker = 'console';

  const resume = async (): Promise<void> => {
    await execution.completePending(() => chat.directoryAs(actor));
    clearTimeout(retryTimer);
    retryTimer = undefined;
    failures = 0;
  };
  const execution = createExecution(dependencies, scheduleRetry);

  const apply = async (plan: PlanNow, by: Actor | Asker): Promise<AppliedPlan> => {
    actor = by;
    // An earlier plan may be half done, for example on a full disk.
    await resume();
    const directory = await chat.directoryAs(by);
    const wanted = await plan();
    const emails = wanted.members.flatMap(({ email }) => email?.trim().toLowerCase() ?? []);
    const { change, difference } = await prepared(wanted, by, directory);
    // An actor without rights is refused even if nothing would change.
    await (isEmptyChange(change) ? withRefusals(directory.reorganise(change.chat)) : execution.carryOut(change, directory));
    const { people } = await directory.overview({ userIds: [], emails, streamIds: [] });
    return { users: new Map(people.map(({ email, userId }) => [email.toLowerCase(), userId])), difference };
  };
  const applyInTurn = (plan: PlanNow, by: Actor | Asker) => turns.take(0, () => apply(plan, by));
  return {
    create: (create) =>
      turns.take(0, async () => {
        const userId = await withRefusals(create());
        await database.write((tx) => profiles.put(tx, { user_id: userId, location: '', reading: '', title: '' }));
        return userId;
      }),
    async preview(plan, by) {
      const directory = await chat.directoryAs(by);
      const { change, difference } = await prepared(plan, by, directory);
      await directory.rehearse(change.chat);
      return difference;
    },
    apply: (plan, by) => applyInTurn(typeof plan === 'function' ? plan : () => plan, by),
    async addMember(email, member, by) {
      const { users } = await applyInTurn(async () => {
        const directory = await chat.directoryAs(by);
        const { people } = await directory.overview({ userIds: [], emails: [email], streamIds: [] });
        // Refused here, because a plan that names an existing email changes that member.
        if (people.length > 0) throw refused.emailInUse();
        return { departments: [], members: [{ ...member(), email }] };
      }, by);
      const userId = users.get(email.toLowerCase());
      if (userId === undefined) throw new TypeError('the plan returned no id for the new member');
      return userId;
    },
    resume: () => turns.take(0, resume).catch(scheduleRetry),
  };
}
