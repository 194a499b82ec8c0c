/** The median; for an even count, the upper one of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Formats as `median (least–most)`, rounded. */
export function spread(values: readonly number[], digits = 0): string {
  const text = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`;
}

/** For each round: the figure of the candidate divided by that of the ceiling. */
export function ratios(candidate: readonly number[], ceiling: readonly number[]): number[] {
  return candidate.map((value, round) => value / (ceiling[round] ?? Number.NaN));
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
