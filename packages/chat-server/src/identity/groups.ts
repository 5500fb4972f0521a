/** The groups of users, such as departments, which the program that embeds the chat server stores. */
export interface Groups {
  /**
   * The ids of the members of these groups, each once and at most `most`. An unknown name adds nobody.
   * @param streams the streams of a guest, for whom only the groups of these streams exist.
   */
  members(names: readonly string[], most: number, streams?: ReadonlySet<number>): readonly number[];
  /** The codes of the groups that contain a user, as an `Audience` names them in `departments`. */
  audienceGroupsOf(userId: number): ReadonlySet<string>;
  /** @param streams as in `members`. */
  isAudienceGroup(code: string, streams?: ReadonlySet<number>): boolean;
}

export const noGroups: Groups = { members: () => [], audienceGroupsOf: () => new Set(), isAudienceGroup: () => false };
