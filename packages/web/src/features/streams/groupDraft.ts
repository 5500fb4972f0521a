export interface GroupDraft {
  readonly name: string;
  readonly description: string;
  readonly userIds: readonly number[];
}

export const emptyGroup: GroupDraft = { name: '', description: '', userIds: [] };
