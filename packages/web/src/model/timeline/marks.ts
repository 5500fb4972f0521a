/** The marks that a member puts on a message without changing its text. */
import type { ModelContext } from '../context.ts';
import { createReactions } from './ownReactions.ts';
import { createStars } from './stars.ts';
import type { TimelinesState } from './state.ts';

export type Marks = ReturnType<typeof createMarks>;

export const createMarks = (context: ModelContext<TimelinesState>) => ({ ...createReactions(context), ...createStars(context) });
