import { complaintOf, email as emailForm } from '../../../validation/validators.ts';

export interface PastedAddresses {
  /** Each address once. */
  readonly emails: readonly string[];
  /** Entries without a valid address, in NFKC. */
  readonly malformed: readonly string[];
}

/** Reads a pasted list: addresses on lines or between commas, also `Name <address>`, in any width. */
export function addressesIn(text: string): PastedAddresses {
  const entries = text
    .normalize('NFKC')
    .split(/[\n,;、]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const emails = new Map<string, string>();
  const malformed = new Set<string>();
  for (const entry of entries) {
    // A name may stand before the address; the words with an @ are addresses.
    const found = entry.split(/[\s<>"]+/).filter((word) => word.includes('@'));
    if (found.length === 0 || found.some((word) => complaintOf(word, [emailForm]) !== undefined)) malformed.add(entry);
    else for (const email of found) emails.set(email.toLowerCase(), email);
  }
  return { emails: [...emails.values()], malformed: [...malformed] };
}
