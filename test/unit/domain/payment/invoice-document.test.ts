import { expect } from 'chai';
import { documentUrl, verifyDocumentTag } from '../../../../src/domain/payment/invoice-document.js';

const first = Buffer.alloc(32, 1);
const second = Buffer.alloc(32, 2);
const baseUrl = 'https://api.example';

describe('the address of a document', () => {
  const tagOf = (url: string) => /([0-9a-f]{32})\.pdf$/.exec(url)?.[1] ?? '';
  const tag = tagOf(documentUrl({ baseUrl, linkKeys: [first] }, 'inv_1'));

  it('signs an address with the newest key, and accepts it with every key of the ring', () => {
    const ring = { baseUrl, linkKeys: [second, first] } as const;
    expect(tagOf(documentUrl(ring, 'inv_1'))).not.to.equal(tag);
    expect(verifyDocumentTag(ring, 'inv_1', tag)).to.equal(true);
    expect(verifyDocumentTag({ linkKeys: [second] }, 'inv_1', tag)).to.equal(false);
  });

  it('accepts an address for one document only, and only as it was spelled', () => {
    const ring = { linkKeys: [first] } as const;
    expect(verifyDocumentTag(ring, 'inv_2', tag)).to.equal(false);
    for (const other of [
      '',
      tag.toUpperCase(),
      `${tag}00`,
      tag.slice(2),
      `${tag}z`,
      'g'.repeat(32),
    ]) {
      expect(verifyDocumentTag(ring, 'inv_1', other), other).to.equal(false);
    }
  });
});
