/** Suggests the names nearest to `wanted`, as a question; undefined if none is near. */
export function didYouMean(wanted: string, names: readonly string[]): string | undefined {
  const maxDistance = Math.max(2, Math.floor(wanted.length / 3));
  const near = names
    .map((name) => ({ name, distance: levenshtein(wanted, name) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** The number of letters to insert, remove or replace. */
function levenshtein(one: string, other: string): number {
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
