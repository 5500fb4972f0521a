import type { EventType } from './events.ts';

/** Types of events that a server delivers without storing them. */
const ephemeralTypes = ['typing', 'presence', 'call'] as const satisfies readonly EventType[];
export type EphemeralType = (typeof ephemeralTypes)[number];
export const isEphemeral = (type: string): boolean => ephemeralTypes.some((each) => each === type);
