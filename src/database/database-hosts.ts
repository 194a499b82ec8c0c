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
