/** The names that differ from `wanted` by few letters, the nearest first, at most three. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const most = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .filter((each) => each.distance <= most)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The letters to insert, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
