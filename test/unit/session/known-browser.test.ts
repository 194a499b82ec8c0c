import { expect } from 'chai';
import { Sealer } from '../../../src/domain/sealer.js';
import {
  knowsAddress,
  openKnownBrowser,
  sealKnownBrowser,
  withAddress,
} from '../../../src/domain/session/known-browser.js';

const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 1) }]);

describe('a browser that has signed in before', () => {
  it('knows its addresses in any case, five at most, and keeps its id', () => {
    let known = withAddress(undefined, 'Ann@shop.example');
    const { id } = known;
    for (let each = 0; each < 4; each += 1) known = withAddress(known, `${each}@shop.example`);
    known = withAddress(known, '0@shop.example');
    expect(knowsAddress(known, 'ann@SHOP.example')).to.equal(true);
    known = withAddress(known, 'last@shop.example');
    expect(knowsAddress(known, 'ann@shop.example')).to.equal(false);
    expect(known.id).to.equal(id);
    expect(known.addresses).to.have.length(5);
  });

  it('proves it by a cookie that only the service can make', () => {
    const known = withAddress(undefined, 'ann@shop.example');
    const value = sealKnownBrowser(sealer, known);
    expect(value).to.match(/^[\w.-]{1,500}$/);
    expect(openKnownBrowser(sealer, value)).to.deep.equal(known);
    const other = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 2) }]);
    expect(openKnownBrowser(other, value)).to.equal(undefined);
    const sealedForOther = sealer.seal(JSON.stringify(known), 'lnk_1').sealed.toString('base64url');
    for (const forged of [undefined, '', 'x', 'x.y', `azE.${sealedForOther}`, `${value}A`]) {
      expect(openKnownBrowser(sealer, forged), forged).to.equal(undefined);
    }
  });

  it('is a stranger once the key that sealed its cookie is removed', () => {
    const value = sealKnownBrowser(sealer, withAddress(undefined, 'ann@shop.example'));
    const later = new Sealer([{ id: 'k2', key: Buffer.alloc(32, 1) }]);
    expect(openKnownBrowser(later, value)).to.equal(undefined);
  });
});
