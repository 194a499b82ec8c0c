import type { Issue } from '../errors.js';

/** Many times what a logo of 200 by 50 pixels needs. */
const maxBytes = 32 * 1_024;

const prefix = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/** How the base64 of a file of each type begins; WebP has its length in between. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^iVBORw0KGg[o-r]/,
  'image/jpeg': /^\/9j\//,
  'image/webp': /^UklGR.{6}XRUJQ/,
};

/** An image that the service serves. */
export interface PortalLogo {
  readonly type: string;
  readonly content: Buffer;
}

/** Reads a `data:` URL; undefined for what is no image of one of the types. SVG may hold scripts. */
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
  const detail = 'Must be data:image/png;base64,… of a PNG, or the same of a JPEG or WebP.';
  return [{ code: 'invalid_format', detail, param: 'logo' }];
}
