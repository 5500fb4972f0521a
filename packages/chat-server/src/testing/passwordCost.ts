import type { PasswordCost } from '../accounts/password.ts';

/** The lowest cost that argon2 accepts, so that tests do not wait for slow hashes. */
export const quickPasswordCost: PasswordCost = { memory: 8, passes: 1 };
