/** The middle value; of an even count the upper one of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** `median (least–most)`, rounded. */
export function spread(values: readonly number[], digits = 0): string {
  const text = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`;
}

/** The candidate's figure over the ceiling's of the same round, for every round. */
export function ratios(candidate: readonly number[], ceiling: readonly number[]): number[] {
  return candidate.map((value, round) => value / (ceiling[round] ?? Number.NaN));
}

/** The value below which `share` of them lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
