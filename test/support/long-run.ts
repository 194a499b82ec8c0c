/** Whether `npm run test:long` or `npm run soak` runs this test: with more faults and seeds than `npm test`. */
export const isLongRun =
  process.env['TEST_LONG'] !== undefined || process.env['SOAK_MS'] !== undefined;

/** Returns all variants of a test in a long run, and else the first `count`. */
export function shortened<Variant>(
  variants: readonly Variant[],
  count: number,
): readonly Variant[] {
  return isLongRun ? variants : variants.slice(0, count);
}
