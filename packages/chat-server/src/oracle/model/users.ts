import { type ReadReceiptsShown, type Role, roles } from '@engawa/protocol';
import { isAdministrator, seesUser } from './access.ts';
import { publishActivity, publishRole } from './groups.ts';
import type { Model, User } from './model.ts';
import { publishReturnOrLoss } from './streams.ts';

const notPermitted = 'Insufficient permission';
const notOwner = 'Must be an organization owner';

export function changeRole(model: Model, by: User, user: User, role: Role): string | undefined {
  if (!seesUser(model, by, user.id)) return 'No such user';
  if (!isAdministrator(by)) return notPermitted;
  if (role === user.role) return undefined;
  if (role === roles.owner && by.role !== roles.owner) return notOwner;
  const refusal = ownerRefusal(model, by, user);
  if (refusal !== undefined) return refusal;
  const before = user.role;
  user.role = role;
  publishUserChange(model, user, { role });
  if (user.isActive) {
    publishRole(model, 'remove_members', user.id, before);
    publishRole(model, 'add_members', user.id, role);
  }
  return undefined;
}

/** Only owners can demote or deactivate an owner, and never the last one. */
function ownerRefusal({ activeUsers }: Model, by: User, user: User): string | undefined {
  if (user.role !== roles.owner) return undefined;
  if (by.role !== roles.owner) return notOwner;
  const isOnly = !activeUsers.some((each) => each !== user && each.role === roles.owner);
  return isOnly ? 'Cannot deactivate the only organization owner.' : undefined;
}

export function deactivate(model: Model, by: User, user: User): string | undefined {
  if (!seesUser(model, by, user.id)) return 'No such user';
  if (!isAdministrator(by)) return notPermitted;
  if (!user.isActive) return 'User is deactivated';
  const refusal = ownerRefusal(model, by, user);
  if (refusal !== undefined) return refusal;
  user.isActive = false;
  publishReturnOrLoss(model, user, 'peer_remove');
  publishUserChange(model, user, { isActive: false });
  publishActivity(model, 'remove_members', user);
  return undefined;
}

export function reactivate(model: Model, by: User, user: User): string | undefined {
  if (!seesUser(model, by, user.id)) return 'No such user';
  if (!isAdministrator(by)) return notPermitted;
  if (user.isActive) return undefined;
  if (user.role === roles.owner && by.role !== roles.owner) return notOwner;
  user.isActive = true;
  publishUserChange(model, user, { isActive: true });
  publishActivity(model, 'add_members', user);
  publishReturnOrLoss(model, user, 'peer_add');
  return undefined;
}

function publishUserChange(model: Model, { id }: User, change: Partial<Pick<User, 'role' | 'isActive'>>): void {
  model.publish(model.users.keys(), { type: 'realm_user', op: 'update', user: id, change });
}

export interface SettingsChange {
  readonly sendsReceipts: boolean;
}

export function changeSettings(model: Model, user: User, { sendsReceipts }: SettingsChange): void {
  if (user.sendsReceipts === sendsReceipts) return;
  user.sendsReceipts = sendsReceipts;
  model.publish([user.id], { type: 'user_settings', sendsReceipts });
}

export function changeReceiptAudience(model: Model, by: User, audience: ReadReceiptsShown): string | undefined {
  if (!isAdministrator(by)) return 'Must be an organization administrator';
  if (model.receiptAudience === audience) return undefined;
  model.receiptAudience = audience;
  model.publish(model.users.keys(), { type: 'realm', receiptAudience: audience });
  return undefined;
}

export interface AlertWordChange {
  readonly op: 'add' | 'remove';
  readonly words: readonly string[];
}

export function changeAlertWords(model: Model, user: User, { op, words }: AlertWordChange): void {
  const changed = words.filter((word) => user.alertWords.includes(word) === (op === 'remove'));
  if (changed.length === 0) return;
  user.alertWords = op === 'add' ? [...user.alertWords, ...changed] : user.alertWords.filter((word) => !changed.includes(word));
  model.publish([user.id], { type: 'alert_words', words: user.alertWords });
}
