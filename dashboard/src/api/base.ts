/** The path of the portal of an account; undefined in the dashboard. */
export function portalPathOf(pathname: string): string | undefined {
  return /^\/portal\/acc_[A-Za-z0-9]+(?=\/|$)/.exec(pathname)?.[0];
}

// Tests of pure rules have no location.
const { location } = globalThis as { readonly location?: { readonly pathname: string } };
const portal = location && portalPathOf(location.pathname);

/** Whether these pages are the portal of an account, which another site may frame. */
export const inPortal = portal !== undefined;

/** The path below which all pages are. */
export const base = portal ?? '/dashboard';
