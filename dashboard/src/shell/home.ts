/** The path of the start page. */
export const home = '/dashboard/overview';
