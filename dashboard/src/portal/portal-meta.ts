import type { PortalTheme } from './portal-theme.js';

/** What the service says about a portal before a customer has a session. */
export interface PortalMeta {
  /** The origins whose pages may frame it. */
  readonly origins: readonly string[];
  readonly theme: PortalTheme;
  /** The path of the logo below that of the portal. */
  readonly logo: string | null;
}

const none: PortalMeta = {
  origins: [],
  theme: { scheme: null, accent: null, background: null },
  logo: null,
};

/** Reads what the service wrote into the page. */
export function portalMeta(): PortalMeta {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="portal"]');
  return meta ? (JSON.parse(meta.content) as PortalMeta) : none;
}
