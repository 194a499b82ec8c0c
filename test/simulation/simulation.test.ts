import { expect } from 'chai';
import { isLongRun } from '../support/long-run.js';
import { plantedBugs } from './planted-bugs.js';
import { runSimulation, traceSeed } from './run-simulation.js';

/** `npm run test:long` goes on where `npm test` ends. */
const { from, seeds } = isLongRun ? { from: 2_001, seeds: 8_000 } : { from: 1, seeds: 2_000 };
/** Fewer seeds notice every planted bug, and a few dozen notice most. */
const seedsForBugs = 10_000;

describe('simulation', function () {
  it(`keeps every promise in ${seeds.toLocaleString('en')} seeds, each with other faults`, async () => {
    const { seeds: kept, counters, failure } = await runSimulation({ from, seeds });
    const counts = Object.entries(counters).map(([what, count]) => `${what}=${count}`);
    process.stdout.write(`      seeds=${kept} ${counts.join(' ')}\n`);
    if (failure) {
      const { seed, violation, repeat } = failure;
      throw new Error(`seed ${seed}: ${violation}; repeat it with: ${repeat}`);
    }
    for (const [what, count] of Object.entries(counters)) {
      expect(count, `${what}: what never happens is not simulated`).to.be.greaterThan(0);
    }
  });

  it('prints the same trace when a seed runs again', async () => {
    const once: string[] = [];
    const again: string[] = [];
    await traceSeed(4, (line) => once.push(line));
    await traceSeed(4, (line) => again.push(line));
    expect(once.length).to.be.greaterThan(20);
    expect(again).to.deep.equal(once);
  });

  it('names the seed that breaks a promise and how to repeat it', async () => {
    const parts = plantedBugs['a release that loses the pending delivery'];
    // Earlier seeds may show the same bug in another way.
    const from = 28;
    const { failure } = await runSimulation({ seeds: seedsForBugs, from, ...(parts && { parts }) });
    expect(failure?.violation).to.include('is lost: it vanished without an end');
    expect(failure?.repeat).to.equal(`npm run simulate -- --trace ${failure?.seed}`);
    const trace: string[] = [];
    await traceSeed(failure!.seed, (line) => trace.push(line), parts);
    expect(trace.at(-1)).to.include(failure?.violation);
  });

  for (const [bug, parts] of Object.entries(plantedBugs)) {
    it(`notices a planted bug: ${bug}`, async () => {
      const { failure } = await runSimulation({ seeds: seedsForBugs, parts });
      expect(failure, 'no seed broke a promise').not.to.equal(undefined);
    });
  }
});
