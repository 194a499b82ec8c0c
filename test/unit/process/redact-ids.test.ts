import { expect } from 'chai';
import { redactIds, redactPath } from '../../../src/process/log.js';

const id = 'chk_0VbZhtKChz5muOrEm8zyydrf';

describe('what the log shows of an id that opens a page', () => {
  it('keeps only the part of an id that is no secret, wherever the id is', () => {
    const text = String.raw`{"err":{"message":"no\n${id}"},"about":"off_0VbZhtKChz5muOrEm8zyydrf"}`;
    expect(redactIds(text)).to.equal(
      String.raw`{"err":{"message":"no\nchk_0VbZhtKC…"},"about":"off_0VbZhtKC…"}`,
    );
  });

  it('ends there in paths, too, however they are encoded', () => {
    expect(redactPath(`/checkout/${id}/embed`)).to.equal('/checkout/chk_0VbZhtKC…/embed');
    expect(redactPath(`/v1/commerce/checkouts/${id}`)).to.equal(
      '/v1/commerce/checkouts/chk_0VbZhtKC…',
    );
    for (const [from, to] of ['_%5F', 'c%63', '0%30'].map((pair) => [pair[0]!, pair.slice(1)])) {
      expect(redactPath(`/v1/x/${id.replace(from!, to!)}`)).to.equal('/v1/x/chk_0VbZhtKC…');
    }
  });

  it('is the whole id when it opens no page', () => {
    for (const path of ['/offer/', '/offer/nothing', '/v1/webhooks/endpoints/whs_0VbZhtKChz5muO']) {
      expect(redactPath(path)).to.equal(path);
    }
    expect(redactPath('/%E0%A4%A')).to.equal('/%E0%A4%A');
  });
});
