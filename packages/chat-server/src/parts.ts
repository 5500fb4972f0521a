/** Parts of this server that a product uses with any chat server: errors, parameters, rules of names and drafts, counters, durations and the clock. */
export { type Clock, systemClock } from './clock.ts';
export { ChatError, refused as chatRefused, storageError } from './errors.ts';
export { Durations } from './durations.ts';
export { type ChatRequest, type DeliveredBody, type ReadBody, givenBody, jsonHeaders, noBody } from './http/exchange.ts';
export { type ArrivedParameters, parametersOf } from './http/parameters.ts';
export { errorAnswer } from './http/router.ts';
export { CallCounts, networkOf, type RateLimit, type RateLimits } from './http/rateLimits.ts';
export { type Steps, atOnce, inTurns, jsonParts, slicesOf } from './turns.ts';
export { Turnstile } from './accounts/turnstile.ts';
export { isWeakPassword } from './accounts/password.ts';
export { cleanFullName } from './identity/fullName.ts';
export { isEmailAddress } from './identity/email.ts';
export { chooseNames } from './organisation/streamNames.ts';
export { checkDraftSize, draftText } from './drafts/text.ts';
export { used as emojiUsesAfter } from './settings/emojiUses.ts';
export { cleanName as cleanStreamName } from './streams/name.ts';
