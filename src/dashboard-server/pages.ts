import { ApiError } from '../api/problem.js';
import type { RequestState } from '../api/request-state.js';
import type { DashboardFile, DashboardFiles } from './dashboard-files.js';

type Reply = NonNullable<RequestState['reply']>;

/** The page loads nothing from elsewhere, runs no inline code, and no site may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Tells the page the name of the operator's OpenID provider. */
export function withProvider(files: DashboardFiles, name: string | undefined): DashboardFiles {
  if (name === undefined) return files;
  const content = name.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`);
  const index = files.index
    .toString()
    .replace('</head>', () => `<meta name="openid-provider" content="${content}"></head>`);
  return { ...files, index: Buffer.from(index) };
}

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
  if (files === undefined) {
    const text = 'The dashboard is not built. Run npm run build, then start the service again.\n';
    return { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text };
  }
  if (!path.startsWith(assetsPath)) return { status: 200, headers: pageHeaders, text: files.index };
  const file = files.assets.get(path.slice(assetsPath.length));
  if (!file) throw new ApiError('not_found', 'This release has no such asset.');
  return assetReply(file, acceptEncoding ?? '');
}

function assetReply(file: DashboardFile, accepted: string): Reply {
  const encodings = (['br', 'gzip'] as const).filter(
    (each) => file[each] && accepts(accepted, each),
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

/** Whether an Accept-Encoding names the coding, and not with the weight 0. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    return name === coding && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each));
  });
}
