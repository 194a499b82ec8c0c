import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiNodeOptions, workerNodeOptions } from '../../tools/launcher/child-process.js';
import { repositoryRoot } from '../support/repository.js';

// With `exec`, npm signals Node itself, not a shell that would end without passing the signal on.
describe('the commands that start one process', () => {
  const options = { api: apiNodeOptions, worker: workerNodeOptions };

  for (const name of ['api', 'worker'] as const) {
    it(`npm run ${name} starts Node as npm start does`, () => {
      const { scripts } = JSON.parse(
        readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
      ) as { scripts: Record<string, string> };
      const command = ['exec node', ...options[name], 'scripts/run.mjs'].join(' ');
      expect(scripts[name]?.slice(0, command.length)).to.equal(command);
    });
  }
});
