import { expect } from 'chai';
import { allows, effective, roles } from '../../../src/domain/account/permission.js';

describe('effective', () => {
  it('H89: gives a full key its holder’s role', () => {
    const table = roles.map((role) => {
      const { webhooks, orders } = effective('full', role);
      return [role, webhooks, orders];
    });
    expect(table).to.deep.equal([
      ['owner', 'write', 'write'],
      ['admin', 'write', 'write'],
      ['developer', 'write', 'read'],
      ['accountant', 'none', 'read'],
      ['viewer', 'read', 'read'],
    ]);
  });

  it('H89: a read-only key never writes and never reads more than its holder', () => {
    for (const role of roles) {
      const { webhooks, orders } = effective('read', role);
      expect(orders).to.equal('read');
      expect(webhooks).to.equal(role === 'accountant' ? 'none' : 'read');
    }
  });
});

describe('allows', () => {
  it('H88: none < read < write, each area by itself', () => {
    const holder = { permissions: { webhooks: 'none', orders: 'read' } as const };
    expect(allows(holder, 'webhooks', 'read')).to.equal(false);
    expect(allows(holder, 'orders', 'read')).to.equal(true);
    expect(allows(holder, 'orders', 'write')).to.equal(false);
    const writer = { permissions: { webhooks: 'write', orders: 'none' } as const };
    expect(allows(writer, 'webhooks', 'read')).to.equal(true);
    expect(allows(writer, 'webhooks', 'write')).to.equal(true);
    expect(allows(writer, 'orders', 'read')).to.equal(false);
  });
});
