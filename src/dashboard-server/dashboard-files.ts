import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A built file with its compressed copies. */
export interface DashboardFile {
  readonly type: string;
  readonly content: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** The built pages. */
export interface DashboardFiles {
  readonly index: Buffer;
  /** By name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, DashboardFile>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Many times what the pages need: they stay in memory. */
const maxBytes = 16 * 1_048_576;

export const operatorFolder = fileURLToPath(new URL('../../dashboard/operators/', import.meta.url));
const builtFolder = fileURLToPath(new URL('../../dashboard/', import.meta.url));

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
