import { expect } from 'chai';
import { expiryIssues, expiryOf, offerIssues } from '../../../../src/domain/offer/offer-input.js';
import { DomainError } from '../../../../src/domain/errors.js';
import {
  assertMailAllowed,
  assertTransition,
  type OfferTransition,
} from '../../../../src/domain/offer/change-offer.js';
import { type OfferStatus, statusOf } from '../../../../src/domain/offer/offers.js';

const now = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 86_400_000;

describe('the input of an offer', () => {
  it('validates each field, and reports no absent one', () => {
    expect(offerIssues({}, now)).to.deep.equal([]);
    const codes = offerIssues({ title: '', currency: 'x', message: 'y'.repeat(2_001) }, now);
    expect(codes.map(({ code, param }) => `${param}: ${code}`)).to.deep.equal([
      'title: invalid_value',
      'message: too_long',
      'currency: invalid_value',
    ]);
  });

  it('refuses a title that could leave its line in the subject of a mail', () => {
    for (const title of ['a\nb', 'a\rb', 'a\u2028b', 'a\u0085b', 'a\tb', 'a\u007fb']) {
      expect(offerIssues({ title }, now), JSON.stringify(title)).to.have.length(1);
    }
    expect(offerIssues({ title: '🖼'.repeat(250) }, now)).to.deep.equal([]);
    expect(offerIssues({ title: '🖼'.repeat(251) }, now)).to.have.length(1);
  });

  it('sets an expiry of 30 days by default, and at the end of a given day', () => {
    expect(expiryOf({}, now)).to.deep.equal(after(30 * dayMs));
    expect(expiryOf({ expiresAt: '2026-12-01' }, now).toISOString()).to.equal(
      '2026-12-01T23:59:59.999Z',
    );
  });

  it('accepts an expiry in the future, at most 365 days ahead', () => {
    for (const [ms, issues] of [
      [0, 1],
      [-1, 1],
      [1, 0],
      [365 * dayMs, 0],
      [365 * dayMs + 1, 1],
    ] as const) {
      expect(expiryIssues('expires_at', after(ms), now), String(ms)).to.have.length(issues);
    }
  });
});

const later = new Date(now.getTime() + 1);
const draft = { acceptedAt: null, cancelledAt: null, sentAt: null, expiresAt: later };

describe('the status of an offer', () => {
  it('an offer is a draft until it is sent, and expired from the moment of its expiry on', () => {
    expect(statusOf(draft, now)).to.equal('draft');
    expect(statusOf({ ...draft, sentAt: now }, now)).to.equal('sent');
    expect(statusOf(draft, later)).to.equal('expired');
    expect(statusOf({ ...draft, sentAt: now }, later)).to.equal('expired');
  });

  it('an accepted or cancelled offer stays so past its expiry', () => {
    expect(statusOf({ ...draft, sentAt: now, acceptedAt: now }, later)).to.equal('accepted');
    expect(statusOf({ ...draft, cancelledAt: now }, later)).to.equal('cancelled');
  });

  it('allows each transition from its own states and from no others', () => {
    const allowed: Record<OfferTransition, OfferStatus[]> = {
      sent: ['draft'],
      resent: ['sent'],
      cancelled: ['draft', 'sent'],
      paid: ['sent'],
    };

    const all: OfferStatus[] = ['draft', 'sent', 'accepted', 'cancelled', 'expired'];

    for (const [step, states] of Object.entries(allowed) as [OfferTransition, OfferStatus[]][]) {
      for (const status of all) {
        const take = () => assertTransition(status, step);
        if (states.includes(status)) expect(take, `${step} ${status}`).not.to.throw();
        else expect(take, `${step} ${status}`).to.throw(DomainError, `cannot be ${step}`);
      }
    }
  });

  it('allows ten mails, with a minute between them from the third on', () => {
    const at = (ms: number) => new Date(now.getTime() + ms);
    const after = (sendCount: number, ms: number) => () =>
      assertMailAllowed({ sendCount, updatedAt: now }, at(ms));
    expect(after(1, 0)).not.to.throw();
    expect(after(2, 60_000)).not.to.throw();
    expect(after(9, 60_000)).not.to.throw();
    expect(after(10, 3_600_000)).to.throw(DomainError, 'its limit of 10 mails');

    for (const [ms, seconds] of [
      [59_999, 1],
      [58_999, 2],
      [0, 60],
    ] as const) {
      expect(after(2, ms))
        .to.throw(DomainError, 'within 60 seconds of its last mail')
        .with.property('retryAfterSeconds', seconds);
    }
  });
});
