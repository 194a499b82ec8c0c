import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FontFolder, FontSet } from '../../../../src/http/pdf/fonts.js';
import { renderInvoice } from '../../../../src/http/pdf/invoice.js';
import {
  cjkFontFolder,
  cjkFontsMissing,
  makeDocument,
  makeItem,
  pagesOfPdf,
  pdfReaderMissing,
  textOfPdf,
  wordsOfPdf,
} from '../../../support/pdf.js';

describe('renderInvoice', () => {
  const fonts = new FontSet();
  const itemsOf = (names: readonly string[]) =>
    makeDocument({ lineItems: names.map((name) => makeItem(name)) });

  if (pdfReaderMissing !== undefined) {
    it(pdfReaderMissing);
    return;
  }

  it('keeps every number on one line, next to names and amounts of any length', async () => {
    for (const amount of [1_900, 99_999_999, 8_000_000_000_000_000]) {
      const changes = { unitAmountMinorUnits: amount, totalMinorUnits: amount };
      const words = 'A very long name of many words '.repeat(8);
      const lineItems = ['Poster', words, 'Unbreakable'.repeat(22)].map((name) =>
        makeItem(name, { ...changes, taxMinorUnits: amount, quantity: 1_000_000 }),
      );
      const text = await textOfPdf(await renderInvoice(makeDocument({ lineItems }), fonts));
      expect(text.match(/\(19\.00 %\)/g), text).to.have.length(3);

      const written = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
      const amounts = text.split(written.format(amount / 100)).length - 1;
      expect(amounts, text).to.equal(9);
      expect(text.match(/1,000,000/g)?.length).to.be.at.least(3);
    }
  });

  it('puts all totals on one page, however many items are above them', async () => {
    const totals = Object.assign(makeDocument().totals, {
      discountMinorUnits: 100,
      shippingMinorUnits: 50,
      totalMinorUnits: 250,
    });

    const labels = ['Subtotal', 'Discount -', 'Shipping', 'Tax €0.00', 'Total paid'];
    let split = 0;
    for (let count = 37; count <= 45; count += 1) {
      const lineItems = Array.from({ length: count }, (_, index) => makeItem(`Item ${index + 1}`));
      const pages = await pagesOfPdf(
        await renderInvoice(makeDocument({ lineItems, totals }), fonts),
      );
      const last = pages.at(-1) ?? '';
      for (const label of labels) expect(last, `${count} items`).to.include(label);
      if (pages.length > 1 && !last.includes('Unit price')) split += 1;
    }

    expect(split, 'how often the totals began a page').to.be.above(0);
  });

  it('states the time zone of the date', async () => {
    const issuedAt = new Date('2026-11-21T23:59:59.999Z');
    const text = await textOfPdf(await renderInvoice(makeDocument({ issuedAt }), fonts));
    expect(text).to.include('Date: 2026-11-21 (UTC)');
  });

  it('cuts a name that needs more than four lines', async () => {
    const text = await textOfPdf(await renderInvoice(itemsOf(['word '.repeat(50)]), fonts));
    expect(text).to.include('word…');
    expect(text.match(/word/g)?.length).to.be.within(15, 40);
  });

  it('sets Hebrew and Arabic words in their order, next to Latin words and numbers', async () => {
    for (const name of ['שלום עולם גדול', 'كتاب جديد عربي', 'ספר Node גדול']) {
      const words = await wordsOfPdf(await renderInvoice(itemsOf([name]), fonts));
      const places = name.split(' ').map((word) => words.find(({ text }) => text === word)?.left);
      expect(places, JSON.stringify(words)).not.to.include(undefined);
      expect(places).to.deep.equal([...places].sort((one, other) => Number(other) - Number(one)));
    }
    const mixed = await wordsOfPdf(await renderInvoice(itemsOf(['Poster אבג דהו end']), fonts));
    const order = mixed
      .filter(({ text }) => ['Poster', 'אבג', 'דהו', 'end'].includes(text))
      .sort((one, other) => one.left - other.left);
    expect(order.map(({ text }) => text)).to.deep.equal(['Poster', 'דהו', 'אבג', 'end']);
  });

  it('leaves no outlines of glyphs in memory', async () => {
    const { source } = fonts.main(false) as unknown as { source: { _glyphs: object } };
    for (const name of ['Poster', 'كتاب']) {
      const made = renderInvoice(itemsOf([name]), fonts);
      expect(source._glyphs, name).not.to.be.empty;
      await made;
      expect(source._glyphs, name).to.be.empty;
    }
  });

  it('ignores fonts of the folder that are damaged or missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-fonts-'));
    writeFileSync(join(folder, 'Broken.ttf'), 'no font');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'Gone.ttf'));
    const document = itemsOf(['山']);
    const text = await textOfPdf(
      await renderInvoice(document, new FontSet(new FontFolder(folder))),
    );
    rmSync(folder, { recursive: true });
    expect(text).to.include('□');
  });

  if (cjkFontsMissing !== undefined) {
    it(cjkFontsMissing);
    return;
  }

  it('takes Chinese, Japanese and Korean letters from a folder of fonts', async () => {
    const names = ['北京烤鸭', '山田太郎の商店', '서울 한국어 포스터', 'Plakat 東京 A2'];
    const rich = new FontSet(new FontFolder(cjkFontFolder));
    const bytes = await renderInvoice({ ...itemsOf(names), seller: '株式会社山田' }, rich);
    const text = await textOfPdf(bytes);
    for (const name of [...names, '株式会社山田']) expect(text).to.include(name);
    expect(text).not.to.include('□');
    expect(bytes.length, 'only what is used is embedded').to.be.lessThan(400_000);
  });

  it('uses the form of a Han character that is usual where the text is from', () => {
    const folder = new FontFolder(cjkFontFolder);
    const nameOf = (region: 'sc' | 'jp' | 'kr', bold: boolean) =>
      folder.find('直', { bold, region })?.source.postscriptName;
    expect(nameOf('sc', false)).to.equal('NotoSansCJKsc-Regular');
    expect(nameOf('jp', false)).to.equal('NotoSansCJKjp-Regular');
    expect(nameOf('kr', true)).to.equal('NotoSansCJKkr-Bold');
  });

  it('sets a bold letter in the only weight that the folder has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-fonts-'));
    copyFileSync(`${cjkFontFolder}/NotoSansCJK-Regular.ttc`, join(folder, 'Some-Regular.ttc'));
    const face = new FontFolder(folder).find('山', { bold: true, region: 'jp' });
    rmSync(folder, { recursive: true });
    expect(face?.source.postscriptName).to.equal('NotoSansCJKjp-Regular');
  });
});
