import { expect } from 'chai';
import { allows } from '../../../dashboard/src/api/permissions.js';
import { groupEventTypes } from '../../../dashboard/src/pages/endpoints/endpoint-rules.js';
import {
  looksLikeEmail,
  normalizeCode,
  pathAfterSignIn,
  signInPathFor,
} from '../../../dashboard/src/pages/sign-in/sign-in-rules.js';
import { findTarget } from '../../../dashboard/src/shell/find-target.js';
import { formatRelative } from '../../../dashboard/src/texts/format.js';
import { matchShortcut } from '../../../dashboard/src/shell/shortcut-rules.js';

describe('rules of the dashboard', () => {
  it('allows what the level of a permission includes', () => {
    expect(allows('write', 'read')).to.equal(true);
    expect(allows('read', 'read')).to.equal(true);
    expect(allows('read', 'write')).to.equal(false);
    expect(allows('none', 'read')).to.equal(false);
  });

  it('leads on after the sign-in only to a view of the dashboard', () => {
    expect(pathAfterSignIn('/dashboard/endpoints?status=active')).to.equal(
      '/dashboard/endpoints?status=active',
    );

    for (const next of [
      undefined,
      '',
      '/v1/orders',
      '//evil.example/dashboard/',
      'https://evil.example/dashboard/x',
      '/dashboard/../v1',
      '/dashboard/\\..\\..\\v1',
      'javascript:alert(1)',
      '/dashboard/sign-in?next=/dashboard/sign-in',
    ]) {
      expect(pathAfterSignIn(next), next).to.equal(undefined);
    }

    expect(signInPathFor('/dashboard/endpoints/whs_1?a=b')).to.equal(
      '/dashboard/sign-in?next=%2Fdashboard%2Fendpoints%2Fwhs_1%3Fa%3Db',
    );
    expect(signInPathFor('/dashboard/sign-in')).to.equal('/dashboard/sign-in');
  });

  it('opens the page of an id, and of no other text', () => {
    expect(findTarget(' whs_0VbmRUTF ')).to.equal('/dashboard/endpoints/whs_0VbmRUTF');
    expect(findTarget('whd_1')).to.equal('/dashboard/deliveries/whd_1');
    expect(findTarget('rcv_1')).to.equal('/dashboard/recoveries/rcv_1');

    for (const [id, kind] of [
      ['ord_1', 'orders'] as const,
      ['pay_1', 'payments'] as const,
      ['rfd_1', 'refunds'] as const,
      ['inv_1', 'invoices'] as const,
      ['off_1', 'offers'] as const,
      ['chk_1', 'checkouts'] as const,
    ]) {
      expect(findTarget(id)).to.equal(`/dashboard/${kind}/${id}`);
    }

    expect(findTarget(' inv-000001')).to.equal('/dashboard/invoices?number=INV-000001');
    expect(findTarget('CN-1000000')).to.equal('/dashboard/invoices?number=CN-1000000');

    for (const text of ['INV-', 'INV-1&x=y', 'INV_000001']) {
      expect(findTarget(text), text).to.equal(undefined);
    }

    expect(findTarget('evt_1')).to.equal('/dashboard/events/evt_1');
    expect(findTarget('mem_1')).to.equal('/dashboard/members?find=mem_1');
    expect(findTarget('crd_1')).to.equal('/dashboard/keys?find=crd_1');
    expect(findTarget('ses_1')).to.equal('/dashboard/sessions?find=ses_1');
    expect(findTarget('aud_1')).to.equal('/dashboard/audit-log');
    expect(findTarget('pse_1')).to.equal('/dashboard/audit-log?resource=pse_1');
    expect(findTarget('plk_1')).to.equal('/dashboard/audit-log?resource=plk_1');
    expect(findTarget('cart.order.completed')).to.equal(
      '/dashboard/event-types/cart.order.completed',
    );

    for (const text of ['cart', 'cart..order', '../v1.x', 'a.b/../c', 'a.b?c', 'mem_1&x=y']) {
      expect(findTarget(text), text).to.equal(undefined);
    }

    expect(findTarget('whs_../../v1')).to.equal(undefined);
    expect(findTarget('acc_1')).to.equal(undefined);
  });

  it('accepts an address and a code as people type them', () => {
    expect(looksLikeEmail(' ada@example.com ')).to.equal(true);
    for (const wrong of ['', 'ada', 'ada@example', 'a b@example.com', 'a@b@example.com']) {
      expect(looksLikeEmail(wrong), wrong).to.equal(false);
    }
    expect(normalizeCode(' abcd-ef gh')).to.equal('ABCDEFGH');
  });

  it('says how long ago a time is', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    const ago = (seconds: number) => formatRelative(now - seconds * 1_000, now);
    expect(ago(3)).to.equal('now');
    expect(ago(59)).to.equal('59 seconds ago');
    expect(ago(119)).to.equal('1 minute ago');
    expect(ago(3 * 3_600)).to.equal('3 hours ago');
    expect(ago(24 * 3_600)).to.equal('yesterday');
    expect(ago(-3_600)).to.equal('in 1 hour');
  });

  it('groups event types by category, with retired ones only where they are subscribed', () => {
    const type = (id: string, category: string, acceptsNewSubscriptions = true, sent = true) => ({
      id,
      category,
      acceptsNewSubscriptions,
      sent,
      summary: `About ${id}`,
    });

    const types = [
      type('b.two', 'orders'),
      type('a.one', 'checkouts'),
      type('b.old', 'orders', false),
    ];

    const ids = (subscribed: string[], search = '') =>
      groupEventTypes(types, new Set(subscribed), search).map((group) => [
        group.category,
        ...group.types.map(({ id }) => id),
      ]);

    expect(ids([])).to.deep.equal([
      ['checkouts', 'a.one'],
      ['orders', 'b.two'],
    ]);

    expect(ids(['b.old'])).to.deep.equal([
      ['checkouts', 'a.one'],
      ['orders', 'b.two', 'b.old'],
    ]);

    types.push(type('a.later', 'checkouts', true, false), type('aa.later', 'aa', true, false));
    types.unshift(type('a.next', 'checkouts', true, false));

    expect(ids([])).to.deep.equal([
      ['checkouts', 'a.one', 'a.next', 'a.later'],
      ['orders', 'b.two'],
      ['aa', 'aa.later'],
    ]);

    expect(ids([], ' ABOUT B')).to.deep.equal([['orders', 'b.two']]);
    expect(ids([], 'CHECK')).to.deep.equal([['checkouts', 'a.one', 'a.next', 'a.later']]);
  });
});

describe('shortcuts of the dashboard', () => {
  const names = ['?', 'n', 'g e', 'g d'];
  const keyOf = (key: string, rest = {}) => ({
    key,
    modified: false,
    typing: false,
    at: 0,
    ...rest,
  });

  it('runs a shortcut after one key', () => {
    expect(matchShortcut(names, undefined, keyOf('?'))).to.deep.equal({ match: '?' });
    expect(matchShortcut(names, undefined, keyOf('x'))).to.deep.equal({});
  });

  it('runs a shortcut after two keys within a second', () => {
    const { pending } = matchShortcut(names, undefined, keyOf('g', { at: 100 }));
    expect(pending).to.deep.equal({ key: 'g', at: 100 });
    expect(matchShortcut(names, pending, keyOf('e', { at: 900 }))).to.deep.equal({ match: 'g e' });
    expect(matchShortcut(names, pending, keyOf('e', { at: 1_200 }))).to.deep.equal({});
    expect(matchShortcut(names, pending, keyOf('n', { at: 200 }))).to.deep.equal({ match: 'n' });
  });

  it('ignores keys in fields and keys with a modifier', () => {
    expect(matchShortcut(names, undefined, keyOf('n', { typing: true }))).to.deep.equal({});
    expect(matchShortcut(names, undefined, keyOf('n', { modified: true }))).to.deep.equal({});
  });
});
