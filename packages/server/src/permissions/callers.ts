/** Whoever asks: each row of the table has a column for each, in this order. */
export const callers = ['nobody', 'guest', 'member', 'moderator', 'administrator', 'owner', 'deactivated'] as const;
export type Caller = (typeof callers)[number];

/** Who they are in the demo organisation, by the name of their email. */
export const names: Readonly<Record<Exclude<Caller, 'nobody'>, string>> = {
  guest: 'nakajima',
  member: 'suzuki',
  moderator: 'yoshida',
  administrator: 'kato',
  owner: 'takahashi.koichi',
  deactivated: 'goto',
};
