/** Which private targets deliveries may reach: none, the private ranges, or these CIDRs. */
export type PrivateTargets =
  | { readonly kind: 'none' }
  | { readonly kind: 'private' }
  | { readonly kind: 'cidrs'; readonly cidrs: readonly string[] };
