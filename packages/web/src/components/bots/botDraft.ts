import { fullNameLength, maxBotShortName } from '@engawa/protocol';

export type NameComplaint = 'nameShort' | 'nameLong';

export function nameComplaint(name: string): NameComplaint | undefined {
  const { length } = [...name.trim()];
  if (length < fullNameLength.least) return 'nameShort';
  return length > fullNameLength.most ? 'nameLong' : undefined;
}

/** The name before `-bot` in the address of a bot. The server makes the same check (`botAddress`). */
export const isShortName = (name: string): boolean =>
  name.trim().length <= maxBotShortName && /^[a-z\d](?:[\w.-]*[a-z\d])?$/i.test(name.trim());
