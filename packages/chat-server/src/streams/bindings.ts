/** Streams that stand for something outside of the server, such as a department. Whoever runs it knows which. */
export interface Bindings {
  /** Then its name is not the members' to change, nor is it theirs to close. */
  isBound(streamId: number): boolean;
  /** Which of these users are in it because they belong to what it stands for; they stay in it. */
  belonging(streamId: number, userIds: readonly number[]): readonly number[];
}

export const noBindings: Bindings = { isBound: () => false, belonging: () => [] };
