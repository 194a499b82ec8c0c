/** The colours of a portal, as the service sends them. */
export interface PortalTheme {
  readonly scheme: 'system' | 'light' | 'dark' | null;
  readonly accent: string | null;
  readonly background: string | null;
}
