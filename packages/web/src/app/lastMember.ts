const name = 'engawa:member';

export interface LastMember {
  get(): number | undefined;
  remember(userId: number): void;
}

export function createLastMember(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): LastMember {
  let last = Number(storage?.getItem(name) ?? undefined);
  return {
    get: () => (Number.isSafeInteger(last) ? last : undefined),
    remember(userId) {
      last = userId;
      try {
        storage?.setItem(name, String(userId));
      } catch (error) {
        // If the storage is full, the member is remembered until the page is closed.
        if (!(error instanceof DOMException)) throw error;
      }
    },
  };
}
