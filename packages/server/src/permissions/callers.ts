/** Each row of the tables has a column for each of these callers, in this order. */
export const callers = ['nobody', 'guest', 'member', 'moderator', 'administrator', 'owner', 'deactivated'] as const;
export type Caller = (typeof callers)[number];

/** Their names in the demo organisation. */
export const names: Readonly<Record<Exclude<Caller, 'nobody'>, string>> = {
  guest: 'murakami',
  member: 'suzuki',
  moderator: 'yoshida',
  administrator: 'kato',
  owner: 'takahashi.koichi',
  deactivated: 'goto',
};
