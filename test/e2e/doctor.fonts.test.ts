import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { adminJson } from '../support/admin.js';
import { cjkFontFolder, cjkFontsMissing } from '../support/pdf.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

interface Finding {
  readonly subject: string;
  readonly level: string;
  readonly detail: string;
}

describe('admin doctor, of fonts', () => {
  let database: TestDatabase;

  before(async () => (database = await createTestDatabase()));
  after(() => database.drop());

  const found = async (PDF_FONTS: string, code = 0) => {
    const environment = {
      BASE_URL: 'https://api.example',
      SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      DATABASE_URL: database.url,
    };
    const findings = await adminJson({ ...environment, PDF_FONTS }, ['doctor'], code);
    return (findings as Finding[]).find(({ subject }) => subject === 'invoices');
  };

  it('names the letters that invoices lack', async () => {
    const unset = await found('');
    expect(unset).to.include({ level: 'ok' });
    expect(unset?.detail).to.include('PDF_FONTS').and.include('empty squares');
  });

  it('reports a folder that cannot be read or has no useful font', async () => {
    const gone = await found('/nowhere/fonts', 1);
    expect(gone).to.include({ level: 'error' });
    expect(gone?.detail).to.include('/nowhere/fonts');
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-fonts-'));
    const empty = await found(folder);
    rmSync(folder, { recursive: true });
    expect(empty).to.include({ level: 'warning' });
    expect(empty?.detail).to.include('Chinese, Japanese, Korean letters');
  });

  if (cjkFontsMissing !== undefined) it(cjkFontsMissing);
  else {
    it('accepts a folder whose fonts have Chinese, Japanese and Korean letters', async () => {
      expect(await found(cjkFontFolder)).to.include({ level: 'ok' });
    });
  }
});
