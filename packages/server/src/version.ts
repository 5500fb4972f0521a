/** The version in package.json. */
export const productVersion = '0.1.0';
