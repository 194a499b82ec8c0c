import { expect } from 'chai';
import { FontSet } from '../../../../src/http/pdf/fonts.js';
import { isolate, breakIntoLines } from '../../../../src/http/pdf/text-lines.js';

describe('breakIntoLines', () => {
  const fonts = new FontSet();
  /** The lines of a text; each a list of runs from left to right, in reading order. */
  const lines = (text: string, width = 1_000, maxLines = 4) =>
    breakIntoLines(text, fonts, { bold: false, region: 'sc', width, maxLines }).map(({ runs }) =>
      runs.map((run) => run.text),
    );

  const joined = (text: string, width?: number, maxLines?: number) =>
    lines(text, width, maxLines).map((runs) => runs.join(''));

  it('puts a text on one line, without invisible characters', () => {
    expect(joined('a\r\n\tb\u0001c\u200dd\u202ee\ufe0f')).to.deep.equal(['a b cde']);
    expect(joined('')).to.deep.equal(['']);
  });

  it('shows a square for each character that no font has', () => {
    expect(joined('Ada 山田 🙏!')).to.deep.equal(['Ada □□ □!']);
    expect(joined('lone \ud83d')).to.deep.equal(['lone □']);
  });

  it('breaks between words, and within a word that is wider than a line', () => {
    expect(joined('one two three', 4.5)).to.deep.equal(['one two', 'three']);
    expect(joined('unbreakable', 3.5)).to.deep.equal(['unbre', 'akable']);
    expect(joined('a unbreakable', 3.5)).to.deep.equal(['a', 'unbre', 'akable']);
  });

  it('ends in an ellipsis when the text needs more lines than there are', () => {
    expect(joined('one two three four', 4.5, 2)).to.deep.equal(['one two', 'three…']);
    expect(joined('W'.repeat(10_000), 20, 1)).to.have.lengthOf(1);
    const [line] = breakIntoLines('W'.repeat(10_000), fonts, {
      bold: false,
      region: 'sc',
      width: 20,
      maxLines: 3,
    }).slice(-1);
    expect(line?.width).to.be.within(18, 20);
    expect(line?.runs.at(-1)?.text).to.match(/W…$/);
  });

  it('sets letters from right to left where their script does', () => {
    expect(lines('שלום 42 עולם')).to.deep.equal([[' עולם', '42', 'שלום ']]);
    expect(lines('Poster שלום עולם end')).to.deep.equal([['Poster ', 'שלום עולם', ' end']]);
    // A bracket is mirrored, and digits keep their order.
    expect(lines('كتاب (12)')).to.deep.equal([['(', '12', ')', 'كتاب ']]);
  });

  it('keeps an isolated text from changing the order around it', () => {
    const [runs = []] = lines(`INV-1 · ${isolate('שלום')} · 7`);
    expect(runs).to.deep.equal(['INV-1 · ', 'שלום', ' · 7']);
  });

  it('joins Arabic letters, except where a joiner forbids it', () => {
    const glyphs = (text: string) =>
      breakIntoLines(text, fonts, { bold: false, region: 'sc', width: 99, maxLines: 1 })
        .flatMap(({ runs }) => runs.flatMap(({ shaped }) => shaped.glyphs.map(({ id }) => id)))
        .join(' ');
    const alone = ['\u0628', '\u062a', '\u0628'].map(glyphs).reverse().join(' ');
    expect(glyphs('\u0628\u062a\u0628')).not.to.equal(alone);
    expect(glyphs('\u0628\u200c\u062a')).not.to.equal(glyphs('\u0628\u062a'));
  });

  it('keeps a letter and its mark together', () => {
    const composed = breakIntoLines('e\u0301', fonts, {
      bold: false,
      region: 'sc',
      width: 9,
      maxLines: 1,
    });
    expect(composed[0]?.runs[0]?.text).to.equal('é');
    expect(joined('x\u0323y', 1)).to.deep.equal(['x\u0323', 'y']);
  });
});
