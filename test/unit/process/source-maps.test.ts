import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ours = (path: string) => new URL(`../../../src/${path}`, import.meta.url).href;
const program = `
import { enableSourceMaps } from '${ours('process/source-maps.js')}';
import { loadServiceConfig } from '${ours('config/config.js')}';
import '${ours('database/data-source.js')}';
import { createRequire, findSourceMap } from 'node:module';
enableSourceMaps();
const typeorm = createRequire('${ours('database/data-source.js')}').resolve('typeorm');
let stack;
try { loadServiceConfig({}); } catch (error) { stack = error.stack; }
console.log(JSON.stringify({ stack, kept: findSourceMap(typeorm) !== undefined }));
`;

describe('the source maps of a process', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-maps-'));
    writeFileSync(join(folder, 'entry.mjs'), program);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...options: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [...options, join(folder, 'entry.mjs')], { encoding: 'utf8' }),
    ) as { readonly stack: string; readonly kept: boolean };

  it('source maps cover our files, not those of packages', () => {
    const { stack, kept } = run('--enable-source-maps');
    expect(stack).to.match(/src\/config\/config\.ts:\d+/);
    expect(kept).to.equal(false);
  });

  it('source maps are off by default', () => {
    expect(run().stack).to.match(/src\/config\/config\.js:\d+/);
  });
});
