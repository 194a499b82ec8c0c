import type { Issue } from '../errors.js';

/** Light or dark; `system` follows the device of the customer. */
export type PortalScheme = (typeof portalSchemes)[number];
export const portalSchemes = ['system', 'light', 'dark'] as const;

/** The colours of a portal. Null is the colour of the service; of a link, that of the settings. */
export interface PortalTheme {
  readonly scheme: PortalScheme | null;
  /** Buttons and links, as `#rrggbb`. */
  readonly accent: string | null;
  /** Behind everything, as `#rrggbb`. */
  readonly background: string | null;
}

/** A theme as a caller gives it; what is absent is null. */
export type PortalThemeInput = {
  readonly [Name in keyof PortalTheme]?: PortalTheme[Name] | undefined;
};

/** The theme of an account that has chosen none. */
export const noTheme: PortalTheme = { scheme: null, accent: null, background: null };

/** Validates the colours. They are names of nothing: only six hexadecimal digits are one. */
export function themeIssues({ accent, background }: PortalThemeInput): Issue[] {
  return Object.entries({ accent, background }).flatMap(([name, colour]) =>
    colour == null || /^#[0-9a-f]{6}$/i.test(colour)
      ? []
      : [{ code: 'invalid_format', detail: 'Must be #rrggbb.', param: `theme.${name}` } as const],
  );
}

/** Returns a theme as it is stored. */
export function toTheme({ scheme, accent, background }: PortalThemeInput): PortalTheme {
  return {
    scheme: scheme ?? null,
    accent: accent?.toLowerCase() ?? null,
    background: background?.toLowerCase() ?? null,
  };
}

/** Puts the colours of a link over those of the settings. */
export function mergeThemes(settings: PortalTheme, link: PortalTheme | null): PortalTheme {
  return {
    scheme: link?.scheme ?? settings.scheme,
    accent: link?.accent ?? settings.accent,
    background: link?.background ?? settings.background,
  };
}
