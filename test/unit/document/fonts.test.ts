import { expect } from 'chai';
import { showable } from '../../../src/document/fonts.js';

const latin = (codePoint: number) => codePoint < 0x250;

describe('a text on paper', () => {
  it('shows a square for each character that the font lacks', () => {
    expect(showable('Ada 山田 🙏!', latin)).to.equal('Ada □□ □!');
  });

  it('is one line, without what shows nothing by itself', () => {
    expect(showable('a\r\n\tb\u0001c\u200dd\u202ee\ufe0f', latin)).to.equal('a b cde');
  });
});
