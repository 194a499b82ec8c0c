import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadDashboardFiles, pageOf } from '../../../../src/http/dashboard/pages.js';
import { loadKnownDocuments } from '../../../../src/http/graphql/document-files.js';
import { documentId } from '../../../support/dashboard.js';

describe('the built pages of the dashboard', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-dashboard-'));
    mkdirSync(join(folder, 'assets'));
    const files = {
      'index.html': '<!doctype html>',
      'assets/main-abc.js': 'plain',
      'assets/main-abc.js.br': 'br',
      'assets/main-abc.js.gz': 'gzip',
      'assets/main-abc.css': 'css',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const show = async (path: string, encoding?: string) =>
    pageOf(await loadDashboardFiles(folder), path, encoding);

  it('H170: serves one page at every path, which no site may frame', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/endpoints/whs_1']) {
      const { status, headers, text } = await show(path);
      expect([status, String(text)]).to.deep.equal([200, '<!doctype html>']);
      expect(headers).to.include({ 'X-Frame-Options': 'DENY' });
      expect(headers).not.to.have.property('Cache-Control');
      const policy = headers['Content-Security-Policy'] ?? '';
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"]) {
        expect(policy.split('; ')).to.include(part);
      }
      expect(policy).not.to.include('unsafe');
    }
  });

  it('H170: serves assets that browsers keep for good, compressed as the client accepts', async () => {
    const path = '/dashboard/assets/main-abc.js';
    const cases = {
      'gzip, deflate, br': 'br',
      'gzip;q=1.0, br;q=0': 'gzip',
      identity: 'plain',
      '': 'plain',
    };
    for (const [encoding, text] of Object.entries(cases)) {
      const shown = await show(path, encoding);
      expect(String(shown.text), encoding).to.equal(text);

      expect(shown.headers).to.include({
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
      });

      const sent = shown.headers['Content-Encoding'];
      expect(sent).to.equal(text === 'plain' ? undefined : text);
    }

    expect(String((await show('/dashboard/assets/main-abc.css', 'br')).text)).to.equal('css');
  });

  it('refuses an asset of another release, and reads no other file', async () => {
    for (const name of ['main-old.js', '../index.html', '..%2findex.html', 'main-abc.js.br']) {
      const thrown = await show(`/dashboard/assets/${name}`).catch((error: unknown) => error);
      expect(thrown, name).to.include({ code: 'not_found' });
    }
  });

  it('says so when the pages are not built', async () => {
    rmSync(join(folder, 'index.html'));
    const { status, text } = await show('/dashboard');
    expect(status).to.equal(404);
    expect(String(text)).to.include('npm run build');
  });

  it('refuses built pages above 16 MiB', async () => {
    writeFileSync(join(folder, 'assets', 'big.js'), Buffer.alloc(17 * 1_048_576));
    const thrown = await loadDashboardFiles(folder).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
  });

  it('loads only documents whose id is the hash of their text', async () => {
    const one = join(folder, 'one.json');
    const two = join(folder, 'two.json');
    const text = '{ viewer { account { id } } }';
    writeFileSync(one, JSON.stringify({ [documentId(text)]: text }));
    expect([...(await loadKnownDocuments([one, two]))]).to.deep.equal([[documentId(text), text]]);
    writeFileSync(two, JSON.stringify({ [documentId('x')]: text }));
    const thrown = await loadKnownDocuments([one, two]).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error).with.property('message').that.includes('SHA-256');
  });
});
