import { audience } from '@engawa/protocol';
import { z } from 'zod';
import type { Visibility } from './visibility.ts';

/** A change of the audience of something, where the thing itself stays. */
export const audienceChange = z.object({ before: audience, after: audience });
export type AudienceChange = z.output<typeof audienceChange>;

interface Change {
  readonly userId: number;
  readonly audience?: AudienceChange | undefined;
}

/** A changed audience is published to those whom it gains or loses, any other change to those who see the thing now. */
export function receivesChange(visibility: Visibility, { userId, audience }: Change, viewerId: number, sees: boolean): boolean {
  if (!audience) return sees;
  return visibility.admits(audience.before, userId, viewerId) !== visibility.admits(audience.after, userId, viewerId);
}
