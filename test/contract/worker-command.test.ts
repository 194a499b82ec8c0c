import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { workerNodeOptions } from '../../src/launcher/worker-node-options.js';
import { repositoryRoot } from '../support/repository.js';

describe('npm run worker', () => {
  it('starts Node as npm start does for its worker', () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      scripts: { worker: string };
    };
    expect(scripts.worker).to.include(['node', ...workerNodeOptions, 'scripts/run.mjs'].join(' '));
  });
});
