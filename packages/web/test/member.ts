import type { Member } from '../src/components/memberSections.ts';

/** A member in a list to choose from. */
export const member = (userId: number, fullName: string, reading = '', address = `member${userId}`): Member => ({
  userId,
  fullName,
  reading,
  email: `${address}@engawa.example`,
  avatarUrl: undefined,
});
