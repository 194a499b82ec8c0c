import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { settings } from '../../src/config.js';
import { repositoryRoot } from '../support/repository.js';

/** The rows the README must have, one per environment variable, in the order of the code. */
function expectedRows(): string[] {
  return Object.entries(settings).map(([name, { fallback, says, ...rest }]) =>
    [
      `\`${name}\``,
      fallback === undefined ? '' : `\`${fallback}\``,
      says,
      'secret' in rest ? 'yes' : '',
    ].join(' | '),
  );
}

describe('the settings in README.md', () => {
  it('are those of the code, with their defaults and descriptions', () => {
    const text = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
    const rows = (text.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('\\<', '<'))
          .join(' | '),
      );
    expect(rows).to.deep.equal(expectedRows());
  });
});
