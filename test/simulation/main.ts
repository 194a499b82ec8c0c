import { parseArgs } from 'node:util';
import { runSimulation, traceSeed } from './run-simulation.js';

// npm run simulate [-- --seeds 1000000] [-- --from 1] [-- --minutes 10] [-- --trace <seed>]
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    trace: { type: 'string' },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.trace !== undefined) {
  await traceSeed(Number(values.trace), say);
} else {
  const begun = performance.now();
  const { seeds, counters, failure } = await runSimulation({
    seeds: Number(values.seeds),
    from: Number(values.from),
    forMs: Number(values.minutes) * 60_000,
  });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  for (const [what, count] of Object.entries(counters)) say(`${what.padEnd(16)} ${count}`);
  say(`${seeds} seeds kept every promise (${seconds} s)`);
  if (failure) {
    say(`seed ${failure.seed}: ${failure.violation}\nrepeat it: ${failure.repeat}`);
    process.exitCode = 1;
  }
}
