/** The version of `cli/package.json`; a test compares the two. */
export const version = '1.0.0';
