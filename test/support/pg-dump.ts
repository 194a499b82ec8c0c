import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const debian = '/usr/lib/postgresql';

/** The folder of a PostgreSQL that has `pg_dump` beside its server; the npm package has none. */
export const dumpPrograms: string | undefined = [
  process.env['TEST_POSTGRES_BIN'] ?? '',
  ...(existsSync(debian) ? readdirSync(debian) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(debian, version, 'bin')),
  '/usr/local/bin',
  '/usr/bin',
].find((folder) =>
  ['initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
);

/** Runs `pg_restore` as an operator does. @throws Error with what it wrote when it fails */
export function restoreDump(args: readonly string[]): void {
  const program = join(dumpPrograms ?? '', 'pg_restore');
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pg_restore failed: ${stderr}`);
}
