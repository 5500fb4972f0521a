/** Groups of users by their names. Whoever runs the server knows who is in one; it keeps none of its own. */
export interface Groups {
  /** User ids, at most `most` of them; none where there is no such group. */
  members(name: string, most: number): readonly number[];
}

export const noGroups: Groups = { members: () => [] };
