/**
 * Names members as `/v1` does: `createdAt` becomes `created_at`. For results of `cli/documents`, which
 * hold no objects of users.
 */
export function snakeNames(value: object): object {
  return renamed(value) as object;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    renamed(member),
  ]);
  return Object.fromEntries(entries) as object;
}
