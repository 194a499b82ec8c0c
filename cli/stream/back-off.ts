const firstMs = 100;
const longestMs = 5_000;

/**
 * The pause before try number `failures`: 0.1 s, doubling to 5 s, of which chance takes up to half.
 * @param random from 0 up to 1
 */
export function backOffMs(failures: number, random: number): number {
  const most = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(most * (1 - random / 2));
}
