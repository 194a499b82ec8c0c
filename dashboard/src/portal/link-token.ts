/**
 * The secret of a link to this portal, as the page around it sends one.
 * @param here the address of this portal, such as `https://hooks.example/portal/acc_1`
 * @returns undefined for a link to another place
 */
export function linkToken(link: unknown, here: string): string | undefined {
  if (typeof link !== 'string' || !URL.canParse(link)) return undefined;
  const { origin, pathname, hash } = new URL(link);
  const portal = new URL(here);
  const same = origin === portal.origin && pathname.replace(/\/$/, '') === portal.pathname;
  return same && /^#[A-Za-z0-9]{43}$/.test(hash) ? hash.slice(1) : undefined;
}
