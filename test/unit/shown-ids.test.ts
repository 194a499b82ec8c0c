import { expect } from 'chai';
import { shownIds, shownPath } from '../../src/shown-ids.js';

const id = 'chk_0VbZhtKChz5muOrEm8zyydrf';

describe('what the log shows of an id that opens a page', () => {
  it('ends before the part that nobody guesses, wherever the id stands', () => {
    const text = String.raw`{"err":{"message":"no\n${id}"},"about":"off_0VbZhtKChz5muOrEm8zyydrf"}`;
    expect(shownIds(text)).to.equal(
      String.raw`{"err":{"message":"no\nchk_0VbZhtKC…"},"about":"off_0VbZhtKC…"}`,
    );
  });

  it('ends there in paths, too, however they are encoded', () => {
    expect(shownPath(`/checkout/${id}/embed`)).to.equal('/checkout/chk_0VbZhtKC…/embed');
    expect(shownPath(`/v1/commerce/checkouts/${id}`)).to.equal(
      '/v1/commerce/checkouts/chk_0VbZhtKC…',
    );
    for (const [from, to] of ['_%5F', 'c%63', '0%30'].map((pair) => [pair[0]!, pair.slice(1)])) {
      expect(shownPath(`/v1/x/${id.replace(from!, to!)}`)).to.equal('/v1/x/chk_0VbZhtKC…');
    }
  });

  it('is everything of what opens nothing', () => {
    for (const path of ['/offer/', '/offer/nothing', '/v1/webhooks/endpoints/whs_0VbZhtKChz5muO']) {
      expect(shownPath(path)).to.equal(path);
    }
    expect(shownPath('/%E0%A4%A')).to.equal('/%E0%A4%A');
  });
});
