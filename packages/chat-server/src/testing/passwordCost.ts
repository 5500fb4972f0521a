import type { PasswordCost } from '../accounts/password.ts';

/** The lowest cost that argon2 accepts, because most tests do not depend on slow hashes. */
export const quickPasswordCost: PasswordCost = { memory: 8, passes: 1 };
