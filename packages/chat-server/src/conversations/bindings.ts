/** Streams that stand for something outside of the server, such as a department. Whoever runs it knows which. */
export interface Bindings {
  /** Then its name is not the members' to change, nor is it theirs to close. */
  isBound(streamId: number): boolean;
  /** Whether somebody is in it because they belong to what it stands for; then they stay in it. */
  belongs(streamId: number, userId: number): boolean;
}

export const noBindings: Bindings = { isBound: () => false, belongs: () => false };
