/** All entities; a list, not a glob, so that it is the same under every build. */
export const entities: (new () => object)[] = [];
