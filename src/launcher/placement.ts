import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Binaries, canRun, copyBinaries, findBinaries } from './binaries.js';
import { runAs, type UnixUser } from './run-as.js';

/** Where the embedded PostgreSQL lives and as whom it runs. */
export interface Placement {
  /** PostgreSQL's data directory; may not exist yet. */
  readonly cluster: string;
  readonly binaries: Binaries;
  /** Undefined: the user of this process. */
  readonly user: UnixUser | undefined;
  /** The folder outside DATA_DIR that had to be used, if any. */
  readonly outside: string | undefined;
}

/** PostgreSQL cannot be brought here; the message says what the reader can do. */
class NoPlace extends Error {
  constructor(reason: string) {
    super(`${reason} Start as a normal user, or set DATABASE_URL.`);
    this.name = 'NoPlace';
  }
}

/**
 * Decides where the embedded PostgreSQL of `dataDir` lives. PostgreSQL refuses to run as root: there
 * it runs as the user `postgres`, made when missing; and where that user cannot come, the cluster
 * and a copy of the programs live in `/var/lib/signalpost/<hash of dataDir>`.
 * @param dataDir an existing folder
 * @throws NoBinaries, NoPlace
 */
export async function choosePlacement(dataDir: string): Promise<Placement> {
  const binaries = await findBinaries();
  const inside = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) {
    return { cluster: inside, binaries, user: undefined, outside: undefined };
  }
  const outside = outsideOf(dataDir);
  if (existsSync(inside)) {
    // Made by a normal user, or by an earlier start as root: its owner runs it.
    const { uid, gid } = statSync(inside);
    const user = uid === 0 ? await postgresUser() : { uid, gid };
    return { cluster: inside, ...(await runnable(binaries, user, outside)), user };
  }
  const user = await postgresUser();
  const cluster = join(outside, 'postgres');
  const mayEnter = (await runAs(user, '/bin/sh', ['-c', 'cd "$0"', dataDir])).ok;
  if (mayEnter && !existsSync(cluster)) {
    return { cluster: inside, ...(await runnable(binaries, user, outside)), user };
  }
  makePublicFolder(outside);
  return { cluster, user, ...(await runnable(binaries, user, outside)), outside };
}

/** The folder for what cannot live in `dataDir`. */
export function outsideOf(dataDir: string): string {
  const hash = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return join('/var/lib/signalpost', hash);
}

async function runnable(
  binaries: Binaries,
  user: UnixUser,
  outside: string,
): Promise<{ binaries: Binaries; outside: string | undefined }> {
  if (await canRun(binaries, user)) return { binaries, outside: undefined };
  makePublicFolder(outside);
  const copy = copyBinaries(binaries, outside);
  if (await canRun(copy, user)) return { binaries: copy, outside };
  throw new NoPlace(`The user with id ${user.uid} cannot run the programs in ${copy.bin}.`);
}

function makePublicFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new NoPlace(`${path} cannot be made (${String(error)}).`);
  }
}

async function postgresUser(): Promise<UnixUser> {
  const known = await lookUp('postgres');
  if (known) return known;
  const group = await runAs(undefined, 'groupadd', ['--system', 'postgres']);
  const made = await runAs(undefined, 'useradd', [
    ...['--system', '--no-create-home', '--home-dir', '/nonexistent'],
    ...['--shell', '/usr/sbin/nologin', '--gid', 'postgres', 'postgres'],
  ]);
  const user = await lookUp('postgres');
  if (user) return user;
  throw new NoPlace(
    'PostgreSQL does not run as root, and the user "postgres" could not be made ' +
      `(${[group, made].map(({ output }) => output).join('; ')}).`,
  );
}

async function lookUp(name: string): Promise<UnixUser | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((which) => runAs(undefined, 'id', [which, name])),
  );
  if (!uid?.ok || !gid?.ok) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
