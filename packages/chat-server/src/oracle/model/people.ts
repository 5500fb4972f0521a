import { type ReadReceiptsShown, type Role, roles } from '@engawa/protocol';
import { isAdministrator } from './access.ts';
import type { Model, User } from './model.ts';
import { tellOfPresence } from './streams.ts';

const notPermitted = 'Insufficient permission';
const notOwner = 'Must be an organization owner';

export function changeRole(model: Model, by: User, user: User, role: Role): string | undefined {
  if (!isAdministrator(by)) return notPermitted;
  if (role === user.role) return undefined;
  if (role === roles.owner && by.role !== roles.owner) return notOwner;
  const refusal = refusesLoss(model, by, user);
  if (refusal !== undefined) return refusal;
  user.role = role;
  tellEveryone(model, user, { role });
  return undefined;
}

/** An owner is taken away by owners only, and never the last. */
function refusesLoss({ activeUsers }: Model, by: User, user: User): string | undefined {
  if (user.role !== roles.owner) return undefined;
  if (by.role !== roles.owner) return notOwner;
  const isOnly = !activeUsers.some((each) => each !== user && each.role === roles.owner);
  return isOnly ? 'Cannot deactivate the only organization owner.' : undefined;
}

export function deactivate(model: Model, by: User, user: User): string | undefined {
  if (!isAdministrator(by)) return notPermitted;
  if (!user.isActive) return 'User is deactivated';
  const refusal = refusesLoss(model, by, user);
  if (refusal !== undefined) return refusal;
  user.isActive = false;
  tellOfPresence(model, user, 'peer_remove');
  tellEveryone(model, user, { isActive: false });
  return undefined;
}

export function reactivate(model: Model, by: User, user: User): string | undefined {
  if (!isAdministrator(by)) return notPermitted;
  if (user.isActive) return undefined;
  if (user.role === roles.owner && by.role !== roles.owner) return notOwner;
  user.isActive = true;
  tellEveryone(model, user, { isActive: true });
  tellOfPresence(model, user, 'peer_add');
  return undefined;
}

function tellEveryone(model: Model, { id }: User, change: Partial<Pick<User, 'role' | 'isActive'>>): void {
  model.tell(model.users.keys(), { type: 'realm_user', user: id, change });
}

export interface Choosing {
  readonly sendsReceipts: boolean;
}

export function choose(model: Model, user: User, { sendsReceipts }: Choosing): void {
  if (user.sendsReceipts === sendsReceipts) return;
  user.sendsReceipts = sendsReceipts;
  model.tell([user.id], { type: 'user_settings', sendsReceipts });
}

export function showReceipts(model: Model, by: User, shown: ReadReceiptsShown): string | undefined {
  if (!isAdministrator(by)) return 'Must be an organization administrator';
  if (model.receiptsShown === shown) return undefined;
  model.receiptsShown = shown;
  model.tell(model.users.keys(), { type: 'realm', receiptsShown: shown });
  return undefined;
}

export interface Alerting {
  readonly op: 'add' | 'remove';
  readonly words: readonly string[];
}

export function changeAlertWords(model: Model, user: User, { op, words }: Alerting): void {
  const changed = words.filter((word) => user.alertWords.includes(word) === (op === 'remove'));
  if (changed.length === 0) return;
  user.alertWords = op === 'add' ? [...user.alertWords, ...changed] : user.alertWords.filter((word) => !changed.includes(word));
  model.tell([user.id], { type: 'alert_words', words: user.alertWords });
}
