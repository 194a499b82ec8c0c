import { expect } from 'chai';
import { escapeHidden, textParts } from '../../../dashboard/src/components/data-text-parts.js';

const shown = (value: string) => textParts(value).map(({ text }) => text);

describe('a text from outside', () => {
  it('is shown as it is', () => {
    expect(textParts('Grüße, 世界 👩‍🚀\n\t<script>')).to.deep.equal([
      { text: 'Grüße, 世界 👩‍🚀\n\t<script>', escape: false },
    ]);
    expect(textParts('')).to.deep.equal([]);
  });

  it('shows characters that hide or reorder other characters as escapes', () => {
    expect(textParts('user\u202egpj.exe')).to.deep.equal([
      { text: 'user', escape: false },
      { text: '\\u202e', escape: true },
      { text: 'gpj.exe', escape: false },
    ]);

    expect(shown('\u0000\u001b\r\u007f\u009b')).to.deep.equal([
      '\\u0000',
      '\\u001b',
      '\\u000d',
      '\\u007f',
      '\\u009b',
    ]);

    expect(shown('\u2066\u2069\u200b\ufeff\u{e0041}')).to.deep.equal([
      '\\u2066',
      '\\u2069',
      '\\u200b',
      '\\ufeff',
      '\\u{e0041}',
    ]);

    expect(shown('\ud800x')).to.deep.equal(['\\ud800', 'x']);
  });

  it('shows the same escapes in titles of tabs, options and attributes', () => {
    expect(escapeHidden('Grüße, \u202e世界\u200b')).to.equal('Grüße, \\u202e世界\\u200b');
    expect(escapeHidden('')).to.equal('');
  });
});
