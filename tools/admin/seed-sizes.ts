/** The number of orders of an account after seeding. */
export const seedSizes = { small: 500, large: 100_000 } as const;
