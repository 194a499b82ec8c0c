import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

const opening = /new (?:pg\.(?:Client|Pool)|DatabaseClient|typeorm\.DataSource)\(/;
const settings = /\bwithServerSettings\(/;

describe('connections to PostgreSQL', () => {
  it('every connection to PostgreSQL asks for our common settings, whichever file opens it', () => {
    const texts = ['src', 'tools', 'workers'].flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name))
        .map((name) => ({ name, text: readFileSync(join(repositoryRoot, name), 'utf8') }))
        .filter(({ text }) => opening.test(text)),
    );

    const names = texts.map(({ name }) => name);
    expect(names).to.include.members(['src/database/data-source.ts', 'src/queue/postgres.ts']);

    const without = texts.filter(({ text }) => {
      const opened = text.split(opening).length;
      const asked = text.split(settings).length;
      return asked < opened;
    });
    expect(without.map(({ name }) => name)).to.deep.equal([]);
  });
});
