/** Streams that the program that embeds the chat server binds to its entities, such as departments. */
export interface Bindings {
  /** Members can neither rename nor archive a bound stream. */
  isBound(streamId: number): boolean;
  /** Returns those of the users who belong to the entity of the stream. They cannot leave it. */
  belonging(streamId: number, userIds: readonly number[]): readonly number[];
}

export const noBindings: Bindings = { isBound: () => false, belonging: () => [] };
