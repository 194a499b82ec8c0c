import { expect } from 'chai';
import { matchShortcut } from '../../../dashboard/src/shell/shortcut-rules.js';

describe('shortcuts of the dashboard', () => {
  const names = ['?', 'n', 'g e', 'g d'];
  const keyOf = (key: string, rest = {}) => ({
    key,
    modified: false,
    typing: false,
    at: 0,
    ...rest,
  });

  it('run after one key', () => {
    expect(matchShortcut(names, undefined, keyOf('?'))).to.deep.equal({ match: '?' });
    expect(matchShortcut(names, undefined, keyOf('x'))).to.deep.equal({});
  });

  it('run after two keys within a second', () => {
    const { pending } = matchShortcut(names, undefined, keyOf('g', { at: 100 }));
    expect(pending).to.deep.equal({ key: 'g', at: 100 });
    expect(matchShortcut(names, pending, keyOf('e', { at: 900 }))).to.deep.equal({ match: 'g e' });
    expect(matchShortcut(names, pending, keyOf('e', { at: 1_200 }))).to.deep.equal({});
    expect(matchShortcut(names, pending, keyOf('n', { at: 200 }))).to.deep.equal({ match: 'n' });
  });

  it('ignore keys in fields and keys with a modifier', () => {
    expect(matchShortcut(names, undefined, keyOf('n', { typing: true }))).to.deep.equal({});
    expect(matchShortcut(names, undefined, keyOf('n', { modified: true }))).to.deep.equal({});
  });
});
