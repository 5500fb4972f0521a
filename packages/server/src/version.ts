/** This program's, as its package says. */
export const productVersion = '0.1.0';
