/** The private addresses that the egress policy allows: none, the private ranges, or these CIDRs. */
export type PrivateTargets =
  | { readonly kind: 'none' }
  | { readonly kind: 'private' }
  | { readonly kind: 'cidrs'; readonly cidrs: readonly string[] };
