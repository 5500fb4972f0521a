import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';
import { maxAlertWords } from '../limits.ts';

const answer = z.object({ alert_words: z.array(z.string()) });
const words = { alert_words: json(z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(maxAlertWords))) };

/** https://zulip.com/api/get-alert-words */
export const getAlertWords = endpoint('GET', '/users/me/alert_words', { answer });

/** https://zulip.com/api/add-alert-words: answers the complete list. */
export const addAlertWords = endpoint('POST', '/users/me/alert_words', { parameters: words, answer });

/** https://zulip.com/api/remove-alert-words: answers the complete list. */
export const removeAlertWords = endpoint('DELETE', '/users/me/alert_words', { parameters: words, answer });
