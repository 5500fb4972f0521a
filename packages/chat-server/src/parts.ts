/** Parts of this server that a product uses with any chat server: errors, rules of names, counters and the clock. */
export { type Clock, systemClock } from './clock.ts';
export { ChatError, storageError } from './errors.ts';
export { CallCounts, networkOf, type RateLimit, type RateLimits } from './http/rateLimits.ts';
export { Turnstile } from './accounts/turnstile.ts';
export { isWeakPassword } from './accounts/password.ts';
export { cleanFullName } from './identity/fullName.ts';
export { isEmailAddress } from './identity/email.ts';
export { chooseNames } from './organisation/streamNames.ts';
export { cleanName as cleanStreamName } from './streams/name.ts';
