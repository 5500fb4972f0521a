const name = 'engawa:member';

/** Who was signed in last with this browser, as far as it remembers. */
export interface LastMember {
  /** Their user id. */
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
        // A full storage: then it is known as long as the page.
        if (!(error instanceof DOMException)) throw error;
      }
    },
  };
}
