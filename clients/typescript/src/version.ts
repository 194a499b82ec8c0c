/** The version of `clients/typescript/package.json`; a test compares the two. */
export const version = '2.0.0';
