import { expect } from 'chai';
import { shownPath } from '../../../src/page/shown-path.js';

describe('the path of a page in the log', () => {
  it('is cut before the part of the id that nobody guesses', () => {
    const id = 'chk_0VbZhtKChz5muOrEm8zyydrf';
    expect(shownPath(`/checkout/${id}`)).to.equal('/checkout/chk_0VbZhtKC…');
    expect(shownPath(`/checkout/${id}/embed`)).to.equal('/checkout/chk_0VbZhtKC…/embed');
    expect(shownPath('/offer/off_0VbZhtKChz5muOrEm8zyydrf')).to.equal('/offer/off_0VbZhtKC…');
  });

  it('is whole where it opens nothing', () => {
    expect(shownPath('/offer/')).to.equal('/offer/');
    expect(shownPath('/offer/nothing')).to.equal('/offer/nothing');
  });
});
