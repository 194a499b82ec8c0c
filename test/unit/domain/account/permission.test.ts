import { expect } from 'chai';
import {
  allows,
  effectivePermissions,
  levels,
  keyPermissions,
  roles,
} from '../../../../src/domain/account/permission.js';

const none = { webhooksLevel: null, ordersLevel: null };

describe('effective', () => {
  it('H89: gives a full key its holder’s role', () => {
    const table = roles.map((role) => {
      const { webhooks, orders } = effectivePermissions(
        keyPermissions({ level: 'full', ...none }),
        role,
      );
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
      const { webhooks, orders } = effectivePermissions(
        keyPermissions({ level: 'read', ...none }),
        role,
      );
      expect(orders).to.equal('read');
      expect(webhooks).to.equal(role === 'accountant' ? 'none' : 'read');
    }
  });

  it('H89, H118: a restricted key has the lower of its own level and its holder’s, area by area', () => {
    const lowest = {
      none: { none: 'none', read: 'none', write: 'none' },
      read: { none: 'none', read: 'read', write: 'read' },
      write: { none: 'none', read: 'read', write: 'write' },
    } as const;

    for (const role of roles) {
      const of = effectivePermissions({ webhooks: 'write', orders: 'write' }, role);

      for (const webhooksLevel of levels) {
        for (const ordersLevel of levels) {
          const own = keyPermissions({ level: 'restricted', webhooksLevel, ordersLevel });
          expect(effectivePermissions(own, role), role).to.deep.equal({
            webhooks: lowest[webhooksLevel][of.webhooks],
            orders: lowest[ordersLevel][of.orders],
          });
        }
      }
    }
  });
});

describe('allows', () => {
  it('H88: orders the levels none, read and write, for each area by itself', () => {
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
