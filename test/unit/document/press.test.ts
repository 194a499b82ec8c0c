import { expect } from 'chai';
import { Press } from '../../../src/document/press.js';
import { Refused } from '../../../src/rest/problem.js';
import { makeDocument, makeItem } from '../../support/invoice-document.js';

const invoice = makeDocument();

describe('the press', () => {
  let press: Press;
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    press = new Press({ onWarning: (message) => warnings.push(message) });
  });
  afterEach(() => press.close());

  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...invoice, number: `INV-${index}` }));

  it('sets a document once, for however many ask for it at once or later', async function () {
    this.timeout(20_000);
    const first = await press.print(invoice);
    expect(first.subarray(0, 5).toString()).to.equal('%PDF-');
    const others = await Promise.all(numbered(60).map(() => press.print({ ...invoice })));
    expect(new Set([first, ...others]).size).to.equal(1);
    const fresh = await Promise.all(
      numbered(60).map(() => press.print({ ...invoice, seller: 'Coffee Ltd' })),
    );
    expect(new Set(fresh).size).to.equal(1);
    expect(fresh[0]?.equals(first), 'what it says has changed').to.equal(false);
  });

  it('refuses what an account has no place for, and sets it later', async function () {
    this.timeout(20_000);
    const all = numbered(30);
    const ends = await Promise.allSettled(all.map((each) => press.print(each)));
    const refused = ends.filter((end) => end.status === 'rejected');
    // One is being made, twelve wait.
    expect(refused).to.have.length(17);
    for (const { reason } of refused) {
      expect(reason).to.be.instanceOf(Refused).and.include({ code: 'service_unavailable' });
    }
    expect((await press.print(all[29] ?? invoice)).subarray(0, 5).toString()).to.equal('%PDF-');
  });

  it('sets a document of another account next, whoever waits', async function () {
    this.timeout(20_000);
    const ended: string[] = [];
    const crowd = numbered(13).map((each) => press.print(each).then(() => ended.push('crowd')));
    const other = press.print({ ...invoice, account: 'acc_2' }).then(() => ended.push('other'));
    await Promise.all([...crowd, other]);
    // After the one that was being made, and the one whose turn it was.
    expect(ended.indexOf('other')).to.be.within(1, 2);
  });

  it('keeps what it has set, and sets the same bytes again after it was dropped', async function () {
    this.timeout(20_000);
    const first = await press.print(invoice);
    expect(await press.print({ ...invoice })).to.equal(first);
    await press.close();
    const another = new Press({ onWarning: () => undefined });
    const again = await another.print(invoice);
    await another.close();
    expect(again.equals(first)).to.equal(true);
  });

  it('sets the same bytes whatever was set before', async function () {
    this.timeout(20_000);
    // Persian and Arabic letters that share glyphs.
    const [arabic, persian] = ['\u064a\u0628\u0643', '\u06cc\u0628\u06a9'].map((name) =>
      makeDocument({ lineItems: [makeItem(name)] }),
    );
    const before = await press.print(arabic ?? invoice);
    await press.close();
    await press.print(persian ?? invoice);
    const after = await new Promise<Buffer>((resolve, reject) => {
      const another = new Press({ onWarning: () => undefined });
      another
        .print(persian ?? invoice)
        .then(() => another.print(arabic ?? invoice))
        .then(resolve, reject)
        .finally(() => void another.close());
    });
    expect(after.equals(before)).to.equal(true);
  });

  it('warns of a folder of fonts that cannot be read, and sets documents without', async () => {
    await press.close();
    press = new Press({
      fontFolder: '/nowhere/fonts',
      onWarning: (message) => warnings.push(message),
    });
    await press.print(invoice);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/PDF_FONTS.*\/nowhere\/fonts/);
  });
});
