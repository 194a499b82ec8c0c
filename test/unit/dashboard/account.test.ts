import { expect } from 'chai';
import { mayChange } from '../../../dashboard/src/api/permissions.js';
import {
  auditSearchOf,
  pathOfLog,
  readAuditFilter,
} from '../../../dashboard/src/pages/account/audit-filter.js';
import {
  actionName,
  type AuditEntry,
  changeOf,
  phraseOf,
  reasonOf,
  whoOf,
} from '../../../dashboard/src/pages/account/audit-words.js';
import { browserName } from '../../../dashboard/src/pages/account/user-agent.js';
import { text } from '../../../dashboard/src/texts/text.js';
import { auditActions } from '../../../src/domain/audit/audit-entry.entity.js';

const entry: AuditEntry = {
  id: 'aud_1',
  action: 'endpoint_updated',
  resourceId: 'whs_1',
  actorKind: 'session',
  credentialId: 'ses_1',
  memberEmail: 'ann@shop.example',
  address: null,
  userAgent: null,
  changes: [],
  createdAt: '2026-11-23T12:00:00Z',
};
const change = (field: string, from: string | null = null, to: string | null = null) => ({
  field,
  from,
  to,
});

describe('the audit log of the dashboard', () => {
  it('names who made a change', () => {
    expect(whoOf(entry)).to.equal('ann@shop.example');
    expect(whoOf({ ...entry, memberEmail: null })).to.equal('A former member');
    const key = { ...entry, actorKind: 'api_key' } as const;
    expect(whoOf(key)).to.equal('An API key of ann@shop.example');
    expect(whoOf({ ...key, memberEmail: 'owner@acc-1.invalid' })).to.equal('An API key');
    expect(whoOf({ ...key, memberEmail: 'eve@acc-1.invalid' })).to.equal(
      'An API key of eve@acc-1.invalid',
    );
    expect(whoOf({ ...entry, actorKind: 'operator', memberEmail: null })).to.equal('An operator');
  });

  it('says what changed, in words', () => {
    expect(phraseOf({ ...entry, changes: [change('active', 'true', 'false')] })).to.deep.equal([
      'disabled the endpoint ',
      '',
    ]);

    const changes = [change('url', 'https://a', 'https://b'), change('description')];
    expect(phraseOf({ ...entry, changes })).to.deep.equal([
      'changed the endpoint ',
      ': URL and Description',
    ]);

    const disabled = [change('active', 'true', 'false'), change('reason', null, 'Why')];
    expect(phraseOf({ ...entry, changes: disabled })[0]).to.equal('disabled the endpoint ');
    expect(reasonOf({ changes: disabled })).to.equal('Why');

    const alone = disabled.slice(1);
    expect(phraseOf({ ...entry, changes: alone })[0]).to.equal('changed the endpoint ');
    expect(reasonOf(entry)).to.equal(undefined);

    const ended = { ...entry, action: 'session_ended', resourceId: 'ses_1' } as const;
    expect(phraseOf(ended)).to.deep.equal(['signed out']);
    expect(phraseOf({ ...ended, resourceId: 'ses_2' })).to.deep.equal(['ended a session']);
    expect(actionName('member_role_changed')).to.equal('Changed the role of');
  });

  it('names an action of a newer service that this page has no words for', () => {
    const action = 'warehouse_moved' as AuditEntry['action'];
    expect(phraseOf({ ...entry, action })).to.deep.equal(['warehouse moved: ', '']);
    expect(actionName(action)).to.equal('Warehouse moved');
  });

  it('shows the old and new value of a field if the log keeps them', () => {
    expect(changeOf(change('url', 'https://a', 'https://b'))).to.equal('https://a → https://b');
    expect(changeOf(change('role', null, 'viewer'))).to.equal('viewer');
    expect(changeOf(change('description'))).to.equal(undefined);
    expect(changeOf(change('event_types', 'a', 'b, c'))).to.equal('removed a, added b, c');
    expect(changeOf(change('event_types', '', 'b'))).to.equal('added b');
    expect(changeOf(change('headers', 'X-A, X-B', null))).to.equal('removed X-A, X-B');
  });

  it('has a phrase for every action', () => {
    expect(Object.keys(text.audit.phrases)).to.have.members([...auditActions]);
  });

  it('keeps its filter in the URL', () => {
    const query = { member: 'mem_1', action: 'offer_sent', range: 'day', resource: 'off_1' };
    const filter = readAuditFilter(query);
    expect(filter).to.deep.equal(query);
    expect(pathOfLog(filter, 'next')).to.equal(
      '/dashboard/audit-log?member=mem_1&action=offer_sent&resource=off_1&range=day&cursor=next',
    );
    expect(readAuditFilter({ action: 'unknown', range: 'year' })).to.deep.equal({});
    expect(pathOfLog({})).to.equal('/dashboard/audit-log');
    expect(auditSearchOf({ range: 'hour' }, 3_600_000)).to.deep.equal({
      since: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('the account pages of the dashboard', () => {
  it('names browsers by their User-Agent', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    expect(browserName(chrome)).to.equal('Chrome on Linux');
    expect(browserName(`${chrome} Edg/156.0`)).to.equal('Edge on Linux');
    expect(browserName('shop/1.0')).to.equal('shop/1.0');
    expect(browserName('')).to.equal('Unknown browser');
  });

  it('lets nobody change their own role, and no admin change an owner', () => {
    const owner = { id: 'mem_1', role: 'owner' } as const;
    const admin = { id: 'mem_2', role: 'admin' } as const;
    expect(mayChange(owner, owner)).to.equal(false);
    expect(mayChange(owner, admin)).to.equal(true);
    expect(mayChange(admin, owner)).to.equal(false);
    expect(mayChange(admin, { id: 'mem_3', role: 'viewer' })).to.equal(true);
  });
});
