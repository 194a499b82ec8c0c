import { cpus } from 'node:os';
import { Command, Option } from 'commander';
import type { BenchService } from './bench-service.js';
import { benchCold } from './cold-start.js';
import { benchDashboard } from './dashboard.js';
import { reportLate } from './dashboard-lines.js';
import { benchEngine } from './engine.js';
import { benchRecovery } from './recovery.js';
import { benchEvidence } from './evidence.js';
import { benchTraces } from './traces.js';
import { benchFacade } from './rest-api.js';
import { benchFanout } from './fanout.js';
import { benchHistory } from './history.js';
import { benchIntake } from './intake.js';
import { benchMigrations, reportSlow } from './migrations.js';
import { benchNeighbours } from './noisy-neighbours.js';
import { benchPages } from './pages.js';
import { benchSearches } from './searches.js';
import { chooseServers } from './servers.js';
import { benchStream } from './stream.js';
import { benchWhole } from './whole.js';
import { type Results, table } from './table.js';
import { fastTarget, slowTarget } from './targets.js';
import { benchWorkers } from './workers.js';

const parts = [
  'whole',
  'intake',
  'facade',
  'engine',
  'slow',
  'neighbours',
  'recovery',
  'evidence',
  'traces',
  'pages',
  'searches',
  'history',
  'fanout',
  'workers',
  'stream',
  'migrations',
  'dashboard',
  'cold',
] as const;

// npm run bench: measures each candidate and its ceiling in turns, on one machine, in one run.
const options = new Command('bench')
  .option('--rounds <n>', 'turns of each side', '5')
  .option('--deliveries <n>', 'deliveries per turn', '50000')
  .option('--seconds <n>', 'length of one turn of requests, in seconds', '4')
  .option(
    '--records <n>',
    'delivery records that are searched or migrated; 10,000,000 take 10 minutes',
    '200000',
  )
  .addOption(new Option('--only <part>', 'run only this part').choices(parts))
  .addOption(
    new Option('--queue <kind>', 'only with this queue, where both are measured').choices([
      'PostgreSQL',
      'Redis',
    ]),
  )
  .option(
    '--postgres <folder>',
    'programs of PostgreSQL, or "bundled"; not for migrations and dashboard. Defaults to the bundled ones, and for whole also to those of Debian',
  )
  .option('--json', 'print the figures as one JSON value')
  .parse()
  .opts<{
    rounds: string;
    deliveries: string;
    seconds: string;
    records: string;
    only?: string;
    queue?: 'PostgreSQL' | 'Redis';
    postgres?: string;
    json?: true;
  }>();
const rounds = Number(options.rounds);
const deliveries = Number(options.deliveries);
const turnMs = Number(options.seconds) * 1_000;
const progress = (line: string) => process.stderr.write(`  ${line}\n`);
const { onBenchService, onQueues, onServers } = chooseServers({
  queue: options.queue,
  postgres: options.postgres,
  progress,
});
const wanted = (part: (typeof parts)[number]) =>
  options.only === undefined || options.only === part;

const [cpu] = cpus();
const results: Results = {
  machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ...(wanted('whole') && {
    whole: await onServers((service) => benchWhole(service, rounds, turnMs, progress)),
  }),
  ...(wanted('intake') && {
    intake: await onBenchService((service) => benchIntake(service, rounds, turnMs, progress)),
  }),
  ...(wanted('facade') && {
    facade: await onBenchService((service) => benchFacade(service, rounds, turnMs, progress)),
  }),
  ...(wanted('engine') && {
    engine: await onQueues((service) =>
      benchEngine(service, fastTarget(service), rounds, deliveries, progress),
    ),
  }),
  ...(wanted('slow') && { slow: await onQueues(slow) }),
  ...(wanted('neighbours') && {
    neighbours: await onQueues((service) => benchNeighbours(service, rounds, turnMs, progress)),
  }),
  ...(wanted('recovery') && {
    recovery: await onQueues((service) => benchRecovery(service, rounds, turnMs, progress)),
  }),
  ...(wanted('traces') && {
    traces: await onBenchService((service) => benchTraces(service, rounds, deliveries, progress)),
  }),
  ...(wanted('evidence') && {
    evidence: await onBenchService((service) =>
      benchEvidence(service, rounds, Math.ceil(deliveries / 10), progress),
    ),
  }),
  ...(wanted('pages') && {
    pages: await onBenchService((service) => benchPages(service, rounds, turnMs, progress)),
  }),
  ...(wanted('searches') && {
    searches: await onBenchService((service) =>
      benchSearches(service, Number(options.records), progress),
    ),
  }),
  ...(wanted('history') && {
    history: await onBenchService((full) =>
      onBenchService((empty) => benchHistory([full, empty], rounds, deliveries, progress)),
    ),
  }),
  ...(wanted('fanout') && { fanout: await onQueues((on) => benchFanout(on, rounds, progress)) }),
  ...(wanted('workers') && {
    workers: await onQueues((service) => benchWorkers(service, rounds, deliveries, progress)),
  }),
  ...(wanted('stream') && {
    stream: await onBenchService((service) => benchStream(service, turnMs, progress)),
  }),
  ...(wanted('migrations') && {
    migrations: await benchMigrations(Number(options.records), progress),
  }),
  ...(wanted('dashboard') && { dashboard: await benchDashboard(rounds, progress) }),
  ...(wanted('cold') && {
    cold: await onBenchService((service) => benchCold(service, rounds, progress)),
  }),
};
process.stdout.write(`${options.json ? JSON.stringify(results) : table(results)}\n`);
if (results.migrations) reportSlow(results.migrations, progress);
if (results.dashboard) reportLate(results.dashboard, progress);

async function slow(service: BenchService) {
  const target = await slowTarget(service);
  try {
    return await benchEngine(service, target, rounds, Math.ceil(deliveries / 5), progress);
  } finally {
    await target.end();
  }
}
