import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisServer, redisMissing, startRedis } from '../test/support/redis.js';
import { type BenchService, startBenchService } from './bench-service.js';

/** The value of `--postgres` for the bundled programs. */
const bundled = 'bundled';

/** Where Debian's packages have PostgreSQL, one folder for each version. */
const packages = '/usr/lib/postgresql';

/** What the options of the command choose. */
export interface ServerOptions {
  /** Defaults to both, where both are measured. */
  readonly queue: 'PostgreSQL' | 'Redis' | undefined;
  /** The folder of PostgreSQL's programs, or `bundled`. */
  readonly postgres: string | undefined;
  readonly progress: (line: string) => void;
}

/** @param onAnother runs on one more cluster, of the same PostgreSQL, with the queue on it */
type Bench<Figures> = (
  service: BenchService,
  onAnother: Servers['onBenchService'],
) => Promise<Figures>;

/** Starts the servers of a benchmark and stops them after it. */
export interface Servers {
  /** Runs it on a cluster of its own, with the queue on PostgreSQL. */
  readonly onBenchService: <Figures>(bench: Bench<Figures>) => Promise<Figures>;
  /** @returns the figures by queue */
  readonly onQueues: <Figures>(bench: Bench<Figures>) => Promise<Record<string, Figures>>;
  /**
   * Runs it on the chosen PostgreSQL. Defaults to the bundled one and those of Debian's packages: only
   * these have JIT.
   * @returns the figures by folder of PostgreSQL's programs, then by queue
   */
  readonly onServers: <Figures>(
    bench: Bench<Figures>,
  ) => Promise<Record<string, Record<string, Figures>>>;
}

/** @throws Error when the folder has no PostgreSQL */
export function chooseServers({ queue, postgres, progress }: ServerOptions): Servers {
  const chosen = postgres === bundled ? undefined : postgres;
  if (chosen !== undefined && !hasPostgres(chosen))
    throw new Error(
      `--postgres: ${chosen} has no initdb. Name the folder of PostgreSQL's programs.`,
    );

  const onQueuesOf = async <Figures>(bench: Bench<Figures>, bin: string | undefined) => {
    const figures: Record<string, Figures> = {};
    if (queue !== 'Redis') figures['PostgreSQL'] = await onService(bench, undefined, bin);
    if (queue === 'PostgreSQL') return figures;
    if (redisMissing === undefined) {
      const redis = await startRedis();
      figures['Redis'] = await onService(bench, redis, bin);
      await redis.stop();
    } else progress(redisMissing);
    return figures;
  };

  return {
    onBenchService: (bench) => onService(bench, undefined, chosen),
    onQueues: (bench) => onQueuesOf(bench, chosen),
    async onServers(bench) {
      if (postgres !== undefined) return { [postgres]: await onQueuesOf(bench, chosen) };
      const figures = { [bundled as string]: await onQueuesOf(bench, undefined) };
      const folders = packagedFolders();
      if (folders.length === 0)
        progress(`${packages} has no PostgreSQL: measured on the bundled one`);
      for (const bin of folders) figures[bin] = await onQueuesOf(bench, bin);
      return figures;
    },
  };
}

async function onService<Figures>(
  bench: Bench<Figures>,
  redis: RedisServer | undefined,
  bin: string | undefined,
): Promise<Figures> {
  const service = await startBenchService(redis, bin);
  try {
    return await bench(service, (another) => onService(another, undefined, bin));
  } finally {
    await service.clear();
  }
}

function packagedFolders(): string[] {
  const versions = existsSync(packages) ? readdirSync(packages).sort() : [];
  return versions.map((version) => join(packages, version, 'bin')).filter(hasPostgres);
}

function hasPostgres(bin: string): boolean {
  return existsSync(join(bin, 'initdb'));
}
