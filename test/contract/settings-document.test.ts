import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { settings } from '../../src/config/settings.js';
import { repositoryRoot } from '../support/repository.js';

/** The rows that the page must have, one per environment variable, in the order of the code. */
function expectedRows(): string[] {
  return Object.entries(settings).map(([name, { fallback, description, ...rest }]) =>
    [
      `\`${name}\``,
      fallback === undefined ? '' : `\`${fallback}\``,
      description,
      'secret' in rest ? 'yes' : '',
    ].join(' | '),
  );
}

/** The rows that a page has. */
function rowsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\<', '<'))
        .join(' | '),
    );
}

describe('the settings in docs/settings.md', () => {
  const text = readFileSync(join(repositoryRoot, 'docs', 'settings.md'), 'utf8');

  it('are those of the code, with their defaults and descriptions', () => {
    expect(rowsOf(text)).to.deep.equal(expectedRows());
  });

  it('are seen to differ by a row, a default and a description', () => {
    const line = text.split('\n').find((row) => row.startsWith('| `PORT`')) ?? '';
    expect(line).to.include('8080');
    const changes = [
      `${line}\n${line}`,
      line.replace('8080', '8090'),
      line.replace('Port', 'Door'),
    ];
    for (const change of changes) {
      expect(rowsOf(text.replace(line, change))).not.to.deep.equal(expectedRows());
    }
  });
});
