import { expect } from 'chai';
import { PdfRenderer, FairQueue } from '../../../../src/http/pdf/renderer.js';
import { ApiError } from '../../../../src/http/problems.js';
import { makeDocument, makeItem } from '../../../support/pdf.js';

const invoice = makeDocument();

describe('PdfRenderer', () => {
  let pdfRenderer: PdfRenderer;
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    pdfRenderer = new PdfRenderer({ onWarning: (message) => warnings.push(message) });
  });

  afterEach(() => pdfRenderer.close());

  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...invoice, number: `INV-${index}` }));

  it('renders a document once, for all concurrent and later requests', async () => {
    const first = await pdfRenderer.render(invoice);
    expect(first.subarray(0, 5).toString()).to.equal('%PDF-');
    const others = await Promise.all(numbered(60).map(() => pdfRenderer.render({ ...invoice })));
    expect(new Set([first, ...others]).size).to.equal(1);
    const fresh = await Promise.all(
      numbered(60).map(() => pdfRenderer.render({ ...invoice, seller: 'Coffee Ltd' })),
    );
    expect(new Set(fresh).size).to.equal(1);
    expect(fresh[0]?.equals(first), 'what it says has changed').to.equal(false);
  });

  it('refuses a document when the queue of its account is full, and renders it later', async () => {
    const all = numbered(30);
    const ends = await Promise.allSettled(all.map((document) => pdfRenderer.render(document)));
    const refused = ends.filter((end) => end.status === 'rejected');
    // One is being rendered, twelve wait.
    expect(refused).to.have.length(17);
    for (const { reason } of refused) {
      expect(reason).to.be.instanceOf(ApiError).and.include({ code: 'service_unavailable' });
    }
    expect((await pdfRenderer.render(all[29] ?? invoice)).subarray(0, 5).toString()).to.equal(
      '%PDF-',
    );
  });

  it('renders a document of another account next, whichever account waits', async () => {
    const ended: string[] = [];
    const waitingJobs = numbered(13).map((document) =>
      pdfRenderer.render(document).then(() => ended.push('crowd')),
    );
    const other = pdfRenderer
      .render({ ...invoice, account: 'acc_2' })
      .then(() => ended.push('other'));
    await Promise.all([...waitingJobs, other]);
    // After the one that was being rendered, and at most one more whose turn it was.
    expect(ended.indexOf('other')).to.be.within(1, 2);
  });

  it('caches documents, and renders the same bytes again after one was dropped', async () => {
    const first = await pdfRenderer.render(invoice);
    expect(await pdfRenderer.render({ ...invoice })).to.equal(first);
    await pdfRenderer.close();
    const another = new PdfRenderer({ onWarning: () => undefined });
    const again = await another.render(invoice);
    await another.close();
    expect(again.equals(first)).to.equal(true);
  });

  it('renders the same bytes after any other document', async () => {
    // Persian and Arabic letters that share glyphs.
    const [arabic, persian] = ['\u064a\u0628\u0643', '\u06cc\u0628\u06a9'].map((name) =>
      makeDocument({ lineItems: [makeItem(name)] }),
    );
    const before = await pdfRenderer.render(arabic ?? invoice);

    await pdfRenderer.close();
    await pdfRenderer.render(persian ?? invoice);

    const after = await new Promise<Buffer>((resolve, reject) => {
      const another = new PdfRenderer({ onWarning: () => undefined });
      another
        .render(persian ?? invoice)
        .then(() => another.render(arabic ?? invoice))
        .then(resolve, reject)
        .finally(() => void another.close());
    });
    expect(after.equals(before)).to.equal(true);
  });

  it('warns of a folder of fonts that cannot be read, and renders documents without it', async () => {
    await pdfRenderer.close();
    pdfRenderer = new PdfRenderer({
      fontFolder: '/nowhere/fonts',
      onWarning: (message) => warnings.push(message),
    });
    await pdfRenderer.render(invoice);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/PDF_FONTS.*\/nowhere\/fonts/);
  });
});

describe('FairQueue', () => {
  const queueOf = (perAccount: number, total: number) =>
    new FairQueue<string>({ perAccount, total });
  const drain = (queue: FairQueue<string>) => {
    const taken: string[] = [];
    for (let item = queue.next(); item !== undefined; item = queue.next()) taken.push(item);
    return taken;
  };

  it('lets accounts take turns, and serves the items of each in order of arrival', () => {
    const queue = queueOf(9, 9);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0] ?? '', item);
    expect(queue.next()).to.equal('a1');
    queue.add('a', 'a4');
    expect(drain(queue)).to.deep.equal(['b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(queue.next()).to.equal(undefined);
  });

  it('limits the places of an account', () => {
    const queue = queueOf(2, 9);
    expect(queue.add('a', 'a1')).to.equal(undefined);
    expect(queue.add('a', 'a2')).to.equal(undefined);
    expect(queue.add('a', 'a3')).to.equal('a3');
    expect(queue.add('b', 'b1')).to.equal(undefined);
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'a2']);
  });

  it('takes the last place from the account with most items for one with fewer when all are taken', () => {
    const queue = queueOf(3, 4);
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item[0] ?? '', item);
    expect(queue.add('c', 'c1')).to.equal('a3');
    expect(queue.add('c', 'c2'), 'as many as the others').to.equal('c2');
    expect(queue.add('a', 'a4')).to.equal('a4');
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
  });
});
