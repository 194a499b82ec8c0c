import { expect } from 'chai';
import { sampleData } from '../../src/domain/test-event/test-event.js';
import { envelopeBytes } from '../../src/domain/event/prepare-event.js';
import { checkEvent, describedTypes } from '../support/contract.js';

type Json = Record<string, unknown>;

const occurredAt = new Date('2026-11-20T12:00:00Z');

/** What would be sent for an event of that type. */
function envelope(type: string): Json & { data: Json } {
  const bytes = envelopeBytes({
    id: `evt_${'a'.repeat(24)}`,
    baseUrl: 'https://api.example',
    type,
    version: 'v1',
    subject: `order:ord_${'a'.repeat(24)}`,
    time: occurredAt.toISOString(),
    test: false,
    data: { ...sampleData(type, occurredAt) },
  });
  return JSON.parse(bytes.toString()) as Json & { data: Json };
}

describe('the check of every event in the tests', () => {
  const check = (event: Json) => () => {
    checkEvent(Buffer.from(JSON.stringify(event)));
  };

  for (const type of describedTypes) {
    it(`takes what is sent as ${type}, and nothing more or less`, () => {
      const event = envelope(type);
      const { data } = event;
      check(event)();
      expect(check({ ...event, data: { ...data, surprise: 1 } })).to.throw(/breaks its schema/);
      for (const name of Object.keys(data)) {
        const having = (value: unknown) => check({ ...event, data: { ...data, [name]: value } });
        expect(having(undefined), `without ${name}`).to.throw(/breaks its schema/);
        const other = typeof data[name] === 'boolean' ? 'true' : true;
        expect(having(other), `another type of ${name}`).to.throw(/breaks its schema/);
      }
    });
  }

  it('refuses an envelope without one of its members', () => {
    const event = envelope('invoice.issued');
    for (const name of Object.keys(event).filter((member) => member !== 'type')) {
      expect(check({ ...event, [name]: undefined }), name).to.throw(/breaks its schema/);
    }
  });

  it('refuses a type without a description', () => {
    const event = { ...envelope('invoice.issued'), type: 'invoice.lost' };
    expect(check(event)).to.throw(/does not know the event type invoice.lost/);
  });
});
