// What an account may choose for its portal: colours, the logo, and the origins whose pages may frame it. All of
// it ends up in style sheets, headers or responses, so each value is checked by its exact form.
import type { Issue } from '../errors.js';
import { parseUrl } from '../values/url.js';

/** Light or dark; `system` follows the device of the customer. */
export type PortalScheme = (typeof portalSchemes)[number];
export const portalSchemes = ['system', 'light', 'dark'] as const;

/** The colours of a portal. Null means the colour of the service, and in a link that of the settings. */
export interface PortalTheme {
  readonly scheme: PortalScheme | null;
  /** The colour of buttons and links, as `#rrggbb`. */
  readonly accent: string | null;
  /** The colour behind everything, as `#rrggbb`. */
  readonly background: string | null;
}

/** A theme as a caller gives it. Absent members are null. */
export type PortalThemeInput = {
  readonly [Name in keyof PortalTheme]?: PortalTheme[Name] | undefined;
};

/** The theme of an account that has chosen none. */
export const noTheme: PortalTheme = { scheme: null, accent: null, background: null };

/** Validates the colours. Only six hexadecimal digits are valid, no names. */
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

/** Returns the colours of a link, and those of the settings where it has none. */
export function mergeThemes(settings: PortalTheme, link: PortalTheme | null): PortalTheme {
  return {
    scheme: link?.scheme ?? settings.scheme,
    accent: link?.accent ?? settings.accent,
    background: link?.background ?? settings.background,
  };
}

/** More origins would make the header of each page long. */
const maxOrigins = 10;
const maxLength = 200;

/** Hosts of the developer's machine, where there is no TLS. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+)$/;

/**
 * Validates the origins that may frame a portal: at most 10, each exactly as a browser writes it. They go into a
 * header, so nothing but an origin is valid.
 */
export function originIssues(origins: readonly string[]): Issue[] {
  if (origins.length > maxOrigins) {
    const detail = `Must be at most ${maxOrigins} origins.`;
    return [{ code: 'invalid_value', detail, param: 'origins' }];
  }
  return origins.flatMap((origin, place) => {
    const detail = problemOf(origin);
    return detail === undefined
      ? []
      : [{ code: 'invalid_value', detail, param: `origins[${place}]` } as const];
  });
}

function problemOf(origin: string): string | undefined {
  if (origin.length > maxLength) return `Must be at most ${maxLength} characters.`;
  const url = parseUrl(origin);
  if (url?.origin !== origin || !/^https?:\/\/[a-z0-9.:-]+$/.test(origin)) {
    return 'Must be an origin such as https://shop.example, without a path.';
  }
  if (url.protocol === 'https:' || loopback.test(url.hostname)) return undefined;
  return 'Must begin with https, except on localhost and 127.0.0.1.';
}

/** The size of a logo: much more than 200 by 50 pixels need. */
const maxBytes = 32 * 1_024;

const prefix = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/** How a file of each type begins, in base64. WebP has its length in between. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^iVBORw0KGg[o-r]/,
  'image/jpeg': /^\/9j\//,
  'image/webp': /^UklGR.{6}XRUJQ/,
};

/** An image that the service serves. */
interface PortalLogo {
  readonly type: string;
  readonly content: Buffer;
}

/** Reads a `data:` URL; undefined unless it is a PNG, JPEG or WebP image. SVG may hold scripts. */
export function readLogo(url: string): PortalLogo | undefined {
  const [, type = '', text = ''] = prefix.exec(url) ?? [];
  if (beginnings[type]?.test(text) !== true) return undefined;
  return { type, content: Buffer.from(text, 'base64') };
}

/** Validates the logo of a portal. */
export function logoIssues(logo: string | null | undefined): Issue[] {
  if (logo == null) return [];
  // Base64 has four characters for three bytes.
  if (logo.length > Math.ceil(maxBytes / 3) * 4 + 30) {
    const detail = `Must be an image of at most ${maxBytes.toLocaleString('en')} bytes.`;
    return [{ code: 'too_long', detail, param: 'logo' }];
  }
  if (readLogo(logo) !== undefined) return [];
  const detail =
    'Must be a PNG, JPEG or WebP image as a base64 data URL (data:image/png;base64,…).';
  return [{ code: 'invalid_format', detail, param: 'logo' }];
}
