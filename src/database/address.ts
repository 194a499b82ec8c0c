// The address of a database: the hosts that its URL names, and the settings that every connection asks for.
const pattern = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * The URLs of a database with several hosts, one for each host: `postgres://u:p@one:5432,two/db` has
 * two. A database with one host has its own URL.
 */
export function hostUrls(address: string): readonly [string, ...string[]] {
  const [, start, hosts, rest] = pattern.exec(address) ?? [];
  if (start === undefined || hosts === undefined || !hosts.includes(',')) return [address];
  const [first = '', ...others] = hosts.split(',').map((host) => `${start}${host}${rest}`);
  return [first, ...others];
}

/** Host and port of a URL with one host, as logs and `doctor` name it. */
export function hostName(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '5432'}`;
}

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

/** Settings of the API's connections, in addition to the common ones. */
export const apiServerSettings: ServerSettings = {
  // A plan made while the tables are empty reads them whole, and PostgreSQL keeps it while they
  // grow (ADR 0007).
  enable_seqscan: 'off',
  // A page reads at most 10,000 records, in the order of an index. A bitmap would find all that match,
  // to sort them: 2 s instead of 6 ms among 10 million records (ADR 0031).
  enable_bitmapscan: 'off',
};

/**
 * PostgreSQL cancels a statement of the API after this time, which is less than the timeout of a request, even with the
 * time that pg adds.
 */
export const apiStatementTimeoutMs = 7_000;

/** Settings of the role of a pooler's connections, which take none of their own (ADR 0044). */
export const pooledServerSettings: ServerSettings = {
  jit: 'off',
  ...apiServerSettings,
  statement_timeout: String(apiStatementTimeoutMs),
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '15000',
};
