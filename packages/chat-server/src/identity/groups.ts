/** The groups of users, such as departments, which the program that embeds the chat server stores. */
export interface Groups {
  /** All groups, as `user_groups` shows them. */
  all(): readonly EmbedderGroup[];
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

/** `code` stays when the name changes. `memberIds`: the direct members. `children`: the codes of the groups directly below. */
export interface EmbedderGroup {
  readonly code: string;
  readonly name: string;
  readonly memberIds: readonly number[];
  readonly children: readonly string[];
}

export const noGroups: Groups = {
  all: () => [],
  members: () => [],
  audienceGroupsOf: () => new Set(),
  isAudienceGroup: () => false,
};
