// npm run bench: what Signalpost does per second and what that costs, each part in turns with a reference on
// the same machine: a hand-written program for the same work, or the service without the load in question.
//
// - A part is a file: it starts its processes (`bench/actors`), measures in rounds, and formats its lines of the table.
// - Figures are kept by round, so that a ratio compares neighbours in time; the table shows median (least–most).
// - Each part has a PostgreSQL of its own that writes to disk (`bench-service.ts`). A crash of the bench leaves its
//   temporary folder, nothing else.
// docs/performance.md has the results, and what each part measures.
import { cpus } from 'node:os';
import { Command, Option } from 'commander';
import { type BenchService, chooseServers } from './bench-service.js';
import { benchCold } from './cold-start.js';
import { benchDashboard, reportLate } from './dashboard.js';
import { benchEngine, fastTarget, slowTarget } from './engine.js';
import { benchRecovery } from './recovery.js';
import { benchEvidence, benchTraces } from './evidence.js';
import { benchFacade } from './rest-api.js';
import { benchFanout } from './fanout.js';
import { benchHistory } from './history.js';
import { benchIntake } from './intake.js';
import { benchMigrations, reportSlow } from './migrations.js';
import { benchNeighbours } from './noisy-neighbours.js';
import { benchPages } from './pages.js';
import { benchSearches } from './searches.js';
import { benchStream } from './stream.js';
import { benchEndToEnd, type LoadName, loadNames } from './end-to-end.js';
import { type Results, table } from './table.js';
import { benchWorkers } from './workers.js';

type Part = Exclude<keyof Results, 'machine'>;

/** The parts, in the order in which they run. */
const benches: { readonly [Each in Part]: () => Promise<Results[Each]> } = {
  'end-to-end': () =>
    onServers((service, onAnother) =>
      onAnother((other) =>
        benchEndToEnd([service, other], { loads: options.loads, rounds, forMs: turnMs, progress }),
      ),
    ),
  intake: () => onBenchService((service) => benchIntake(service, rounds, turnMs, progress)),
  facade: () => onBenchService((service) => benchFacade(service, rounds, turnMs, progress)),
  engine: () =>
    onQueues((service) => benchEngine(service, fastTarget(service), rounds, deliveries, progress)),
  slow: () => onQueues(slow),
  neighbours: () => onQueues((service) => benchNeighbours(service, rounds, turnMs, progress)),
  recovery: () => onQueues((service) => benchRecovery(service, rounds, turnMs, progress)),
  traces: () => onBenchService((service) => benchTraces(service, rounds, deliveries, progress)),
  evidence: () =>
    onBenchService((service) =>
      benchEvidence(service, rounds, Math.ceil(deliveries / 10), progress),
    ),
  pages: () => onBenchService((service) => benchPages(service, rounds, turnMs, progress)),
  searches: () =>
    onBenchService((service) => benchSearches(service, Number(options.records), progress)),
  history: () =>
    onBenchService((full) =>
      onBenchService((empty) => benchHistory([full, empty], rounds, deliveries, progress)),
    ),
  fanout: () => onQueues((on) => benchFanout(on, rounds, progress)),
  workers: () => onQueues((service) => benchWorkers(service, rounds, deliveries, progress)),
  stream: () => onBenchService((service) => benchStream(service, turnMs, progress)),
  migrations: () => benchMigrations(Number(options.records), progress),
  dashboard: () => benchDashboard(rounds, progress),
  cold: () => onBenchService((service) => benchCold(service, rounds, progress)),
};

// One for each child process, which it ends. Two services and their clients have more than ten.
process.setMaxListeners(30);

const options = new Command('bench')
  .option('--rounds <n>', 'turns of each side', '5')
  .option('--deliveries <n>', 'deliveries per turn', '50000')
  .option('--seconds <n>', 'length of one turn of requests, in seconds', '4')
  .option(
    '--records <n>',
    'delivery records that are searched or migrated; 10,000,000 take 10 minutes',
    '200000',
  )
  .addOption(new Option('--only <part>', 'run only this part').choices(Object.keys(benches)))
  .addOption(
    new Option('--queue <kind>', 'only with this queue, where both are measured').choices([
      'PostgreSQL',
      'Redis',
    ]),
  )
  .option(
    '--postgres <folder>',
    'programs of PostgreSQL, or "bundled"; not for migrations and dashboard. Defaults to the bundled ones, and for end-to-end also to those of Debian',
  )
  .addOption(
    new Option('--loads <load...>', 'of end-to-end, only these loads')
      .choices(loadNames)
      .default(loadNames),
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
    loads: LoadName[];
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
const figures: Partial<Record<Part, unknown>> = {};
for (const [part, bench] of Object.entries(benches) as [Part, () => Promise<unknown>][]) {
  if (options.only === undefined || options.only === part) figures[part] = await bench();
}
const [cpu] = cpus();
const results = {
  machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ...figures,
} as Results;
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
