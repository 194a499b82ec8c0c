import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readVersion } from '../../src/process/version.js';
import { repositoryRoot } from '../support/repository.js';

/** Every place of the version of the release. The version of the interface, in schema/openapi.yaml, is separate. */
const places: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['package-lock.json', /^ {2}"version": "(.*)"/gm],
  ['package-lock.json', /"": \{\s+"name": "signalpost",\s+"version": "(.*)"/g],
  ['cli/package.json', /^ {2}"version": "(.*)"/gm],
  ['cli/version.ts', /version = '(.*)'/g],
  ['clients/python/src/signalpost/__init__.py', /^__version__ = "(.*)"/gm],
  ['clients/typescript/package.json', /^ {2}"version": "(.*)"/gm],
  ['clients/typescript/src/client.ts', /version = '(.*)'/g],
  ['clients/typescript/README.md', /signalpost-client[-/](\d+\.\d+\.\d+)/g],
  ['docs/cli.md', /signalpost-cli-(.*)\.tgz/g],
  ['docs/deploy.md', /signalpost:(\d[\d.]*)/g],
  ['deploy/compose/compose.yaml', /image: signalpost:(.*)/g],
  ['deploy/docker/build-without-registry.sh', /:signalpost:(\d[\d.]*)/g],
  ['deploy/docker/Dockerfile', /ARG VERSION=(.*)/g],
  ['deploy/helm/signalpost/Chart.yaml', /^(?:appV|v)ersion: (.*)/gm],
  ['deploy/helm/example.yaml', /app\.kubernetes\.io\/version: "(.*)"/g],
  ['deploy/helm/example.yaml', /helm\.sh\/chart: signalpost-(.*)/g],
  ['deploy/helm/example.yaml', /\/signalpost:(.*)"/g],
];

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

describe('a release', () => {
  for (const [path, pattern] of places)
    it(`a release has its version in ${path}: ${pattern.source}`, () => {
      const found = new Set([...read(path).matchAll(pattern)].map(([, version]) => version));
      expect([...found]).to.deep.equal([readVersion()]);
    });

  for (const client of ['cli', 'dashboard', 'dashboard/operators'])
    it(`a release keeps the documents that ${client} asks for, for later releases`, () => {
      expect(
        JSON.parse(read(`${client}/documents/former/${readVersion()}.json`)),
      ).not.to.deep.equal({});
    });

  it('CHANGELOG.md has a section for the release, below what is not released', () => {
    const [first, second] = [...read('CHANGELOG.md').matchAll(/^## (.*)/gm)].map(
      ([, text]) => text,
    );
    expect(first).to.equal('Unreleased');
    expect(second).to.match(/^\S+ — \d{4}-\d\d-\d\d$/);
    expect(second?.split(' ')[0]).to.equal(readVersion());
  });
});
