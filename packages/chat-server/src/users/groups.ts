/** Groups of users by their names. Whoever runs the server knows who is in one; it keeps none of its own. */
export interface Groups {
  /** User ids of all who are in one of these, each once, at most `most` of them. A name of no group adds nobody. */
  members(names: readonly string[], most: number): readonly number[];
}

export const noGroups: Groups = { members: () => [] };
