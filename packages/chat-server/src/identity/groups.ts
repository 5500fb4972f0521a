/** The groups of users, such as departments, which the program that embeds the chat server stores. */
export interface Groups {
  /** The ids of the members of these groups, each once and at most `most`. An unknown name adds nobody. */
  members(names: readonly string[], most: number): readonly number[];
  /** The codes of the groups that contain a user, as an `Audience` names them in `departments`. */
  audienceGroupsOf(userId: number): ReadonlySet<string>;
  isAudienceGroup(code: string): boolean;
}

export const noGroups: Groups = { members: () => [], audienceGroupsOf: () => new Set(), isAudienceGroup: () => false };
