import { getPointer, putPointer, updatePointer } from '@engawa/protocol';
import { readableHeaders } from '../conversations/messageHeaders.ts';
import type { Database, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type MemberCall, type Route, memberRoute } from '../http/router.ts';
import { memberOf, userNow } from '../identity/currentMember.ts';
import type { Member } from '../identity/member.ts';
import { users } from '../identity/store.ts';

export function pointerRoutes(database: Database, log: EventLog): Route[] {
  const update = ({ pointer }: { readonly pointer: number }, { member }: MemberCall) =>
    database.write((tx) => movePointer(tx, log, member, pointer));
  return [
    memberRoute(getPointer, (_, { member }) => ({ pointer: userNow(database.reader, member).pointer })),
    memberRoute(updatePointer, update),
    memberRoute(putPointer, update),
  ];
}

function movePointer(tx: Transaction, log: EventLog, member: Member, pointer: number): void {
  const user = userNow(tx, member);
  if (pointer <= user.pointer) return;
  if (readableHeaders(tx, memberOf(user), [pointer]).length === 0) throw refused.because('Invalid message ID');
  users.setPointer(tx, member.id, pointer);
  log.append(tx, { type: 'pointer', reach: 'self', reachId: member.id, payload: { pointer } });
}
