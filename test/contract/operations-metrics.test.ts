import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { WorkerMetrics } from '../../workers/metrics.js';
import { repositoryRoot } from '../support/repository.js';

describe('docs/operations.md', () => {
  it('names every metric of a worker, and no other', () => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'operations.md'), 'utf8');
    const table = text.split('Of a worker:')[1]?.split('\nOf the API')[0] ?? '';
    const documented = [...table.matchAll(/^\| `(signalpost_\w+)`/gm)].map(([, name]) => name);
    const own = new WorkerMetrics().registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('signalpost_'));
    expect(documented).to.have.members(own);
  });
});
