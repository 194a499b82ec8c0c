import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMetrics } from '../../src/http/server/metrics.js';
import { WorkerMetrics } from '../../workers/metrics.js';
import { repositoryRoot } from '../support/repository.js';

/** The metrics that the table below a line of the document names. */
function documented(heading: string): string[] {
  const text = readFileSync(join(repositoryRoot, 'docs', 'running.md'), 'utf8');
  const [table = ''] = text.split(`\n${heading}\n\n`)[1]?.split('\n\n') ?? [];
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
}

/** The metrics of ours in Prometheus' text format. */
function named(text: string): string[] {
  return [...text.matchAll(/^# TYPE (signalpost_\w+) /gm)].map(([, name = '']) => name);
}

describe('docs/running.md', () => {
  it('names every metric of a worker, and no other', async () => {
    expect(documented('Of a worker:')).to.have.members(named(await new WorkerMetrics().text()));
  });

  it('names every metric of the API, and no other', async () => {
    const metrics = createMetrics({
      depths: () => Promise.resolve({}),
      waiting: () => 0,
      streams: () => ({ open: 0, lagSeconds: 0 }),
      refusedWrites: () => 0,
      engine: () => Promise.reject(new Error('not asked')),
    });
    expect(documented('Of the API:')).to.have.members(named(await metrics.print()));
  });
});
