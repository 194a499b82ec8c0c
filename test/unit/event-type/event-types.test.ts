import { expect } from 'chai';
import {
  type CatalogueEntry,
  checkSubscription,
} from '../../../src/domain/event-type/event-types.js';

const catalogue: CatalogueEntry[] = [
  { id: 'cart.order.completed', acceptsNewSubscriptions: true, listed: true },
  { id: 'offer.sent', acceptsNewSubscriptions: true, listed: true },
  { id: 'order.completed', acceptsNewSubscriptions: false, listed: true },
  { id: 'order.created', acceptsNewSubscriptions: false, listed: true },
  { id: 'cart.gone', acceptsNewSubscriptions: true, listed: false },
];

describe('checkSubscription', () => {
  it('H28: names both kinds of refusal, not-offered first, in the order asked for', () => {
    const wanted = ['foo.bar', 'order.created', 'cart.gone', 'order.completed', 'foo.bar'];
    expect(checkSubscription([], wanted, catalogue).errors).to.deep.equal([
      {
        code: 'event_type_not_offered',
        detail: 'No longer offered for new subscriptions: order.created, order.completed',
        param: 'event_types',
      },
      {
        code: 'unknown_event_type',
        detail: 'Unknown event type: foo.bar, cart.gone',
        param: 'event_types',
      },
    ]);
  });

  it('H29, A33: keeps what is subscribed, offered or not, listed or not', () => {
    const current = ['order.completed', 'cart.gone', 'never.heard.of'];
    const { types, errors } = checkSubscription(current, [...current, 'offer.sent'], catalogue);
    expect(errors).to.deep.equal([]);
    expect(types).to.deep.equal([...current, 'offer.sent']);
  });

  it('A32: a removed type that is not offered cannot be added back', () => {
    const { errors } = checkSubscription(['offer.sent'], ['order.completed'], catalogue);
    expect(errors.map(({ code }) => code)).to.deep.equal(['event_type_not_offered']);
  });

  it('H6: collapses duplicates to the first occurrence and keeps the order', () => {
    const wanted = ['offer.sent', 'cart.order.completed', 'offer.sent'];
    const { types, errors } = checkSubscription([], wanted, catalogue);
    expect({ types, errors }).to.deep.equal({
      types: ['offer.sent', 'cart.order.completed'],
      errors: [],
    });
  });

  it('refuses an empty list', () => {
    expect(checkSubscription(['offer.sent'], [], catalogue).errors).to.deep.equal([
      { code: 'too_few_items', detail: 'Must have at least 1 item.', param: 'event_types' },
    ]);
  });

  it('H92: refuses text that cannot be stored before it asks the catalogue', () => {
    for (const type of ['a\0b', 'a\ud800']) {
      const [issue, ...rest] = checkSubscription([], ['foo.bar', type], catalogue).errors;
      expect(rest).to.deep.equal([]);
      expect(issue).to.include({ code: 'invalid_value', param: 'event_types' });
    }
  });
});
