/** The groups of users. The program that embeds the chat server stores them, and the chat server asks it. */
export interface Groups {
  /** The ids of all members of these groups, each once, at most `most`. Unknown names add nobody. */
  members(names: readonly string[], most: number): readonly number[];
  /** The codes of the groups that contain a user, as an `Audience` names them in `departments`. */
  audienceGroupsOf(userId: number): ReadonlySet<string>;
  isAudienceGroup(code: string): boolean;
}

export const noGroups: Groups = { members: () => [], audienceGroupsOf: () => new Set(), isAudienceGroup: () => false };
