// What the pages of members and of operators share: their paths, and the built files, which stay in memory.
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import { type Reply, methodReply, readOnly, type RequestState } from '../exchange.js';
import { acceptsCoding } from '../headers.js';
import { ApiError } from '../problems.js';

/** Answers a request of a page. */
export type Handler = (exchange: {
  readonly req: IncomingMessage;
  readonly state: RequestState;
}) => Promise<Reply>;

/** One method of a path. */
export interface Action {
  /** Its name in logs and metrics. */
  readonly operation: string;
  readonly handle: Handler;
}

/** The actions of each path, by method. */
export type Actions = ReadonlyMap<string, Readonly<Record<string, Action>>>;

/**
 * Serves `/dashboard`: the actions at their paths, and a built page or an asset at all others.
 * @param refuse throws for a request that must not sign in or read
 */
export function routeDashboard(
  actions: Actions,
  files: DashboardFiles | undefined,
  refuse: (request: IncomingMessage) => void,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const { path, method, req, state } = ctx;
    if (path !== '/dashboard' && !path.startsWith('/dashboard/')) return next() as Promise<void>;

    const byMethod = actions.get(path);
    const allow = byMethod ? [...Object.keys(byMethod), 'OPTIONS'].join(', ') : readOnly;
    state.reply = methodReply(method, allow);
    if (state.reply) return;

    const action = byMethod?.[method];
    state.operation = action?.operation ?? 'dashboard.page';

    if (!action) {
      state.reply = pageOf(files, path, req.headers['accept-encoding']);
      return;
    }

    refuse(req);
    state.reply = await action.handle({ req, state });
  };
}

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
    // X-Frame-Options cannot list origins, and browsers with frame-ancestors ignore it.
    ...(!framed && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': framed ? 'cross-origin' : 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

const dashboardHeaders = pageHeaders();

/** Adds a `<meta>` element that the page reads before anyone signs in. */
export function withMeta(index: Buffer, name: string, text: string): Buffer {
  const content = text.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`);
  const meta = `<meta name="${name}" content="${content}"></head>`;
  return Buffer.from(index.toString().replace('</head>', () => meta));
}

/** Adds the name of the operator's OpenID provider to the page, and whether it is the only way to sign in. */
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

/** A built file with its compressed copies. */
interface DashboardFile {
  readonly type: string;
  readonly content: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** The built pages. */
export interface DashboardFiles {
  readonly index: Buffer;
  /** Files by their name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, DashboardFile>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The built files stay in memory. This limit is many times what the pages need. */
const maxBytes = 16 * 1_048_576;

export const operatorFolder = fileURLToPath(
  new URL('../../../dashboard/operators', import.meta.url),
);
const builtFolder = fileURLToPath(new URL('../../../dashboard', import.meta.url));

/**
 * Reads the built pages into memory.
 * @returns undefined when they are not built
 * @throws Error when they have more than 16 MiB
 */
export async function loadDashboardFiles(
  folder = builtFolder,
): Promise<DashboardFiles | undefined> {
  const index = await readFile(join(folder, 'index.html')).catch(undefinedIfMissing);
  if (index === undefined) return undefined;

  const contents = new Map<string, Buffer>();
  let bytes = index.length;

  for (const name of await readdir(join(folder, 'assets'))) {
    const content = await readFile(join(folder, 'assets', name));
    contents.set(name, content);
    bytes += content.length;
    if (bytes > maxBytes) throw new Error(`${folder} has more than ${maxBytes} bytes.`);
  }

  const assets = new Map<string, DashboardFile>();

  for (const [name, content] of contents) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const br = contents.get(`${name}.br`);
    const gzip = contents.get(`${name}.gz`);
    assets.set(name, { type, content, br, gzip });
  }

  return { index, assets };
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
