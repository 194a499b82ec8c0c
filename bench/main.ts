import { cpus } from 'node:os';
import { Command } from 'commander';
import { redisMissing, startRedis } from '../test/support/redis.js';
import { prepareGround } from './bench-service.js';
import { benchEngine, type EngineFigures } from './engine.js';
import { benchFacade, type FacadeFigures, type OperationFigures } from './facade.js';
import { ratios, spread } from './statistics.js';

// npm run bench: each candidate and its ceiling in turns, on one machine, in one run.
const options = new Command('bench')
  .option('--rounds <n>', 'turns of each', '5')
  .option('--deliveries <n>', 'deliveries per turn', '20000')
  .option('--seconds <n>', 'length of one turn of requests', '4')
  .option('--json', 'print the figures as one JSON value')
  .parse()
  .opts<{ rounds: string; deliveries: string; seconds: string; json?: true }>();
const rounds = Number(options.rounds);
const progress = (line: string) => process.stderr.write(`  ${line}\n`);

interface Result {
  readonly machine: string;
  readonly facade: FacadeFigures;
  readonly engine: Record<string, EngineFigures>;
}

const [cpu] = cpus();
const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.version}, ${process.platform} ${process.arch}`;
const result: Result = { machine, facade: await facade(), engine: await engine() };
process.stdout.write(`${options.json ? JSON.stringify(result) : table(result)}\n`);

async function facade(): Promise<FacadeFigures> {
  const ground = await prepareGround(undefined);
  try {
    return await benchFacade(ground, rounds, Number(options.seconds) * 1_000, progress);
  } finally {
    await ground.clear();
  }
}

async function engine(): Promise<Record<string, EngineFigures>> {
  const figures: Record<string, EngineFigures> = { PostgreSQL: await engineOn(undefined) };
  if (redisMissing === undefined) {
    const redis = await startRedis();
    figures['Redis'] = await engineOn(redis.url);
    await redis.stop();
  } else progress(redisMissing);
  return figures;
}

async function engineOn(redisUrl: string | undefined): Promise<EngineFigures> {
  const ground = await prepareGround(redisUrl);
  try {
    return await benchEngine(ground, rounds, Number(options.deliveries), progress);
  } finally {
    await ground.clear();
  }
}

function table({ facade: { retrieve, create, ...api }, engine: engines }: Result): string {
  const operation = (name: string, { ceiling, candidate, p50, p99 }: OperationFigures) =>
    `| ${name} | ${spread(candidate)}/s | ${spread(ceiling)}/s | ${spread(ratios(candidate, ceiling), 2)} | p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms; API ${api.restMiB} → ${api.loadMiB} MiB |`;
  const deliveries = ([name, { ceiling, candidate, restMiB, loadMiB }]: [string, EngineFigures]) =>
    `| deliveries, queue on ${name} | ${spread(candidate)}/s | ${spread(ceiling)}/s | ${spread(ratios(candidate, ceiling), 2)} | worker ${restMiB} → ${loadMiB} MiB |`;
  return [
    machine,
    '',
    '| what | Signalpost | its ceiling | ratio | besides |',
    '|---|---|---|---|---|',
    operation('retrieve an endpoint', retrieve),
    operation('create an endpoint', create),
    ...Object.entries(engines).map(deliveries),
    '',
    'median (least–most)',
  ].join('\n');
}
