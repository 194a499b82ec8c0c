import { cpus } from 'node:os';
import { Command } from 'commander';
import { redisMissing, startRedis } from '../test/support/redis.js';
import { prepareGround } from './bench-service.js';
import type { ProcessorCosts } from './engine-costs.js';
import { benchEngine, type EngineFigures } from './engine.js';
import { benchFacade, type FacadeFigures, type OperationFigures } from './facade.js';
import { benchPages, type PageFigures } from './pages.js';
import { ratios, spread } from './statistics.js';

// npm run bench: each candidate and its ceiling in turns, on one machine, in one run.
const options = new Command('bench')
  .option('--rounds <n>', 'turns of each', '5')
  .option('--deliveries <n>', 'deliveries per turn', '20000')
  .option('--seconds <n>', 'length of one turn of requests', '4')
  .option('--only <part>', 'facade, engine or pages')
  .option('--json', 'print the figures as one JSON value')
  .parse()
  .opts<{ rounds: string; deliveries: string; seconds: string; only?: string; json?: true }>();
const rounds = Number(options.rounds);
const progress = (line: string) => process.stderr.write(`  ${line}\n`);

interface Result {
  readonly machine: string;
  readonly facade?: FacadeFigures;
  readonly engine?: Record<string, EngineFigures>;
  readonly pages?: Record<string, PageFigures>;
}

const [cpu] = cpus();
const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.version}, ${process.platform} ${process.arch}`;
const result: Result = {
  machine,
  ...(wanted('facade') && { facade: await facade() }),
  ...(wanted('engine') && { engine: await engine() }),
  ...(wanted('pages') && { pages: await pages() }),
};
process.stdout.write(`${options.json ? JSON.stringify(result) : table(result)}\n`);

function wanted(part: 'facade' | 'engine' | 'pages'): boolean {
  return options.only === undefined || options.only === part;
}

async function facade(): Promise<FacadeFigures> {
  const ground = await prepareGround(undefined);
  try {
    return await benchFacade(ground, rounds, Number(options.seconds) * 1_000, progress);
  } finally {
    await ground.clear();
  }
}

async function pages(): Promise<Record<string, PageFigures>> {
  const ground = await prepareGround(undefined);
  try {
    return await benchPages(ground, rounds, Number(options.seconds) * 1_000, progress);
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

function table({ facade: requests, engine: engines = {}, pages: lists = {} }: Result): string {
  const lines = [
    ...(requests ? requestLines(requests) : []),
    ...Object.entries(engines).map(([name, figures]) => deliveryLine(name, figures)),
    ...Object.entries(lists).map(([name, figures]) => pageLine(name, figures)),
  ];
  return [
    machine,
    '',
    '| what | Signalpost | its ceiling | ratio | besides |',
    '|---|---|---|---|---|',
    ...lines,
    '',
    'median (least–most)',
  ].join('\n');
}

function requestLines({ retrieve, create, restMiB, loadMiB }: FacadeFigures): string[] {
  const line = (name: string, { ceiling, candidate, p50, p99 }: OperationFigures) =>
    `| ${name} | ${spread(candidate)}/s | ${spread(ceiling)}/s | ${spread(ratios(candidate, ceiling), 2)} | p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms; API ${restMiB} → ${loadMiB} MiB |`;
  return [line('retrieve an endpoint', retrieve), line('create an endpoint', create)];
}

/** The first page stands where others have a ceiling: no page can be cheaper. */
function pageLine(name: string, { pages: count, first, last }: PageFigures): string {
  return `| page ${count} of ${name} | ${spread(last, 1)} ms | ${spread(first, 1)} ms (page 1) | ${spread(ratios(last, first), 2)} | |`;
}

function deliveryLine(name: string, figures: EngineFigures): string {
  const { ceiling, candidate, restMiB, loadMiB, receiver, databaseCosts } = figures;
  const costs = (each: ProcessorCosts) =>
    Object.entries(each)
      .map(([who, microseconds]) => `${who} ${microseconds.toFixed(0)}`)
      .join(', ');
  const besides = [
    `µs of processor each: ${costs(figures.candidateCosts)}; ceiling: ${costs(figures.ceilingCosts)}`,
    `${databaseCosts.statements.toFixed(3)} statements and ${databaseCosts.walBytes.toFixed(0)} bytes of WAL each`,
    `worker ${restMiB} → ${loadMiB} MiB; receiver: ${receiver}`,
  ];
  return `| deliveries, queue on ${name} | ${spread(candidate)}/s | ${spread(ceiling)}/s | ${spread(ratios(candidate, ceiling), 2)} | ${besides.join('; ')} |`;
}
