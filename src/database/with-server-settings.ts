/**
 * The address of a database with settings of PostgreSQL for each connection, beside those that it has: pg
 * takes its `options` in place of any others.
 */
export function withServerSettings(
  address: string,
  settings: Readonly<Record<string, string>>,
): string {
  const added = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  if (added.length === 0) return address;
  const url = new URL(address);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', [...(given ? [given] : []), ...added].join(' '));
  return url.href;
}
