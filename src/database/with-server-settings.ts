/** Settings of PostgreSQL for one connection, as in `-c name=value`. */
export type ServerSettings = Readonly<Record<string, string>>;

/** Settings of all our connections, in every library that opens one. */
export const commonServerSettings: ServerSettings = {
  // Our statements end sooner than PostgreSQL can compile them. It would compile those whose
  // estimated cost is high.
  jit: 'off',
  // When a client's host vanishes, its session and its locks end within a minute.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  // Keepalive probes stop while a response waits for its acknowledgement.
  tcp_user_timeout: '60000',
};

/**
 * Adds {@link commonServerSettings} and `settings` to the URL of a database, after its own
 * `options`. Every connection must use the result: pg lets the `options` of a URL replace those
 * given beside it. If a setting appears twice, the last one applies: that of `settings`.
 */
export function withServerSettings(address: string, settings: ServerSettings = {}): string {
  const added = Object.entries({ ...commonServerSettings, ...settings });
  // Not parsed as a URL, because it may name several hosts.
  const [place = '', query] = address.replace(/#.*$/s, '').split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const options = [
    parameters.get('options'),
    ...added.map(([name, value]) => `-c ${name}=${value}`),
  ];
  parameters.set('options', options.filter(Boolean).join(' '));
  // Because of a bare `%`, as in a password, pg would encode all of the URL once more.
  return `${place.replace(/%(?![\dA-Fa-f]{2})/g, '%25')}?${parameters.toString()}`;
}
