import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.js';

const cwd = repositoryRoot;
const entries = ['src/main.ts', 'workers/main.ts', 'tools/migrate/main.ts'];
/** What these read beside their sources. */
const sources = ['src', 'workers', 'tools', 'cli', 'schema', 'package.json', 'tsconfig.json'];

/**
 * Builds API, worker and `migrate` as they were when a dump was kept, with the packages of this version.
 * @returns the folder of the build; undefined in a clone without that commit
 */
export function buildOfDump(name: string): string | undefined {
  const commit = commitOfDump(name);
  if (commit === undefined) return undefined;
  // Inside the project, whose packages it finds.
  const folder = join(repositoryRoot, 'dist', `of-dump-${commit.slice(0, 12)}`);
  const build = join(folder, 'dist');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return build;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'sources.tar');
  execFileSync('git', ['archive', `--output=${archive}`, commit, ...sources], { cwd });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const config = join(folder, 'tsconfig.build.json');
  const compilerOptions = {
    outDir: 'dist',
    noCheck: true,
    sourceMap: false,
    types: ['node'],
    incremental: false,
    tsBuildInfoFile: null,
  };
  const options = { extends: './tsconfig.json', compilerOptions, include: [], files: entries };
  writeFileSync(config, JSON.stringify(options));
  const compiler = join(repositoryRoot, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', config]);
  writeFileSync(complete, '');
  return build;
}

/** The commit that made a dump as it is now. A shallow clone, which names another one, has later migrations there. */
export function commitOfDump(name: string): string | undefined {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
    return status === 0 ? stdout : '';
  };
  const commit = git('log', '-1', '--format=%H', '--', `test/dumps/${name}.sql`).trim();
  if (commit === '') return undefined;
  const files = git('ls-tree', '--name-only', commit, 'src/database/migrations/');
  const newest = [...files.matchAll(/(\d{4})-.*\.ts$/gm)].at(-1)?.[1];
  return newest === name ? commit : undefined;
}
