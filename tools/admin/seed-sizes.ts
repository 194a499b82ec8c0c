/** How many orders an account has after it was seeded. */
export const seedSizes = { small: 500, large: 100_000 } as const;
