import { acceptsCoding } from '../api/negotiation.js';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/request-state.js';
import type { DashboardFile, DashboardFiles } from './dashboard-files.js';

/** The page loads nothing from elsewhere and runs no inline code. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * Headers of the page.
 * @param origins the origins whose pages may frame it; none for no page
 */
export function pageHeaders(origins: readonly string[] = []): Readonly<Record<string, string>> {
  const framed = origins.length > 0;
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${policy}; frame-ancestors ${framed ? origins.join(' ') : "'none'"}`,
    // It knows no list of origins, and a browser that knows frame-ancestors ignores it.
    ...(!framed && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': framed ? 'cross-origin' : 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

const dashboardHeaders = pageHeaders();

/** Tells the script of the page something that is known before anyone signs in. */
export function withMeta(index: Buffer, name: string, text: string): Buffer {
  const content = text.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`);
  const meta = `<meta name="${name}" content="${content}"></head>`;
  return Buffer.from(index.toString().replace('</head>', () => meta));
}

/** Tells the page the name of the operator's OpenID provider, and whether it is the only way in. */
export function withProvider(
  files: DashboardFiles,
  provider: { readonly name: string; readonly only: boolean } | undefined,
): DashboardFiles {
  if (provider === undefined) return files;
  const index = withMeta(files.index, 'openid-provider', provider.name);
  return { ...files, index: provider.only ? withMeta(index, 'openid-only', 'true') : index };
}

/** The answer of a service whose pages are not built. */
export const notBuilt: Reply = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  text: 'The dashboard is not built. Run npm run build, then start the service again.\n',
};

const assetsPath = '/dashboard/assets/';

/**
 * Finds what a GET under `/dashboard` shows: an asset by its name, else the page, whose script reads the
 * path.
 * @param acceptEncoding the header of the request
 * @throws ApiError not_found for an asset that this release does not have
 */
export function pageOf(
  files: DashboardFiles | undefined,
  path: string,
  acceptEncoding: string | undefined,
): Reply {
  if (files === undefined) return notBuilt;
  if (!path.startsWith(assetsPath)) {
    return { status: 200, headers: dashboardHeaders, text: files.index };
  }
  const file = files.assets.get(path.slice(assetsPath.length));
  if (!file) throw new ApiError('not_found', 'This release has no such asset.');
  return assetReply(file, acceptEncoding);
}

function assetReply(file: DashboardFile, acceptEncoding: string | undefined): Reply {
  const encodings = (['br', 'gzip'] as const).filter(
    (coding) => file[coding] && acceptsCoding(acceptEncoding, coding),
  );
  const [encoding] = encodings;
  return {
    status: 200,
    headers: {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
    },
    text: (encoding && file[encoding]) ?? file.content,
  };
}
