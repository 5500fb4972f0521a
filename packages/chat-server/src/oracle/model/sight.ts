import { roles } from '@engawa/protocol';
import { seesUser } from './access.ts';
import { type Model, ascending } from './model.ts';

/**
 * Publishes to guests whom they begin or cease to see, before users come to a conversation or after they have gone.
 * @param others the members who stay.
 */
export function publishSight(model: Model, op: 'add' | 'remove', others: Iterable<number>, changing: readonly number[]): void {
  const isGuest = (id: number) => model.user(id).role === roles.guest;
  const publish = (guest: number, users: readonly number[]) => {
    const unseen = users.filter((id) => !seesUser(model, model.user(guest), id));
    for (const user of unseen) model.publish([guest], { type: 'realm_user', op, user });
  };
  for (const guest of [...others].filter(isGuest)) publish(guest, changing);
  for (const guest of changing.filter(isGuest)) publish(guest, [...ascending(others), ...changing]);
}
