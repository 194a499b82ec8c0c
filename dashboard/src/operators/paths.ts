/** The paths of the views. */
export const paths = {
  overview: '/dashboard/overview',
  accounts: '/dashboard/accounts',
  events: '/dashboard/events',
  deadLetters: '/dashboard/dead-letters',
} as const;

/** The list of accounts, filtered by a search for a name or an id. */
export function searchPath(search: string | undefined, cursor?: string): string {
  const query = new URLSearchParams({ ...(search && { search }), ...(cursor && { cursor }) });
  return query.size === 0 ? paths.accounts : `${paths.accounts}?${query.toString()}`;
}

/** The page of an account, with one of its endpoints at the top. */
export function endpointPath(account: string, endpoint: string): string {
  return `${paths.accounts}/${account}?${new URLSearchParams({ endpoint }).toString()}`;
}
