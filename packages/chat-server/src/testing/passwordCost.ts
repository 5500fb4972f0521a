import type { PasswordCost } from '../accounts/password.ts';

/** The least that argon2 takes: a test is about what a password opens, seldom about how slow it is to guess. */
export const quickPasswordCost: PasswordCost = { memory: 8, passes: 1 };
