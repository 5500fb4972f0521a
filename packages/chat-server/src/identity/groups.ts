/** Groups of users by their names, and departments by their codes. Whoever runs the server knows who is in one; it keeps none of its own. */
export interface Groups {
  /** User ids of all who are in one of these, each once, at most `most` of them. A name of no group adds nobody. */
  members(names: readonly string[], most: number): readonly number[];
  /** The codes of the departments that a user is in, with those above them. */
  departmentsOf(userId: number): ReadonlySet<string>;
  isDepartment(code: string): boolean;
}

export const noGroups: Groups = { members: () => [], departmentsOf: () => new Set(), isDepartment: () => false };
