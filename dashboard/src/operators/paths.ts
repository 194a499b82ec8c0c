/** The paths of the views. */
export const paths = {
  overview: '/dashboard/overview',
  accounts: '/dashboard/accounts',
  deadLetters: '/dashboard/dead-letters',
} as const;
