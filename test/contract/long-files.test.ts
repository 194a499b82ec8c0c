import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

interface Block {
  readonly files?: readonly string[];
  readonly rules?: Readonly<Record<string, unknown>>;
}

describe('the list of files that are too long', () => {
  it('names only files that exist and are too long: a shortened file leaves the list', async () => {
    const file = pathToFileURL(join(repositoryRoot, 'eslint.config.js')).href;
    const { default: blocks } = (await import(file)) as { default: readonly Block[] };
    const exempt = blocks.filter(({ rules }) => rules?.['max-lines'] === 'off');
    expect(exempt).to.have.lengthOf(1);
    const listed = exempt.flatMap(({ files = [] }) => files);
    const short = listed.filter((name) => {
      const path = join(repositoryRoot, name);
      return !existsSync(path) || readFileSync(path, 'utf8').split('\n').length - 1 <= 200;
    });
    expect(short).to.deep.equal([]);
    // A longer list would be a step back.
    expect(listed.length).to.be.at.most(50);
  });
});
