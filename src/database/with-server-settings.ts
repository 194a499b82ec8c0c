/** Settings of PostgreSQL for one connection, as in `-c name=value`. */
export type ServerSettings = Readonly<Record<string, string>>;

/** What every connection of ours asks PostgreSQL for, whichever library opens it. */
export const commonServerSettings: ServerSettings = {
  // Our statements end sooner than PostgreSQL compiles them, and it compiles what only looks dear.
  jit: 'off',
  // A session whose client's host vanished ends within a minute, with the locks that it holds.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  // Keepalives do not count while an answer of the server waits for its acknowledgement.
  tcp_user_timeout: '60000',
};

/**
 * The address of a database that asks PostgreSQL for {@link commonServerSettings} and `settings`, beside the
 * settings that the address has itself. Each connection must use it: pg lets the `options` of an address
 * replace those given beside it. Of a setting that is named twice the one of `settings` counts.
 */
export function withServerSettings(address: string, settings: ServerSettings = {}): string {
  const added = Object.entries({ ...commonServerSettings, ...settings });
  const url = new URL(address);
  const given = url.searchParams.get('options');
  const options = [given, ...added.map(([name, value]) => `-c ${name}=${value}`)];
  url.searchParams.set('options', options.filter(Boolean).join(' '));
  return url.href;
}
