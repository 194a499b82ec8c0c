import { expect } from 'chai';
import { envelopeBytes } from '../../../src/domain/event/prepare-event.js';

describe('envelopeBytes', () => {
  it('H83: writes a CloudEvents 1.0 envelope with the data as it is', () => {
    const bytes = envelopeBytes({
      id: 'evt_1',
      baseUrl: 'https://api.example',
      type: 'cart.order.completed',
      version: 'v1',
      subject: 'order:ord_1',
      time: '2026-11-20T12:00:00.000Z',
      test: false,
      data: { z: 1, a: 'é🎉' },
    });

    expect(bytes.toString()).to.equal(
      '{"specversion":"1.0","id":"evt_1","source":"https://api.example/v1/commerce",' +
        '"type":"cart.order.completed","subject":"order:ord_1","time":"2026-11-20T12:00:00.000Z",' +
        '"datacontenttype":"application/json",' +
        '"dataschema":"https://api.example/schemas/events/cart.order.completed/v1",' +
        '"eventversion":"v1","test":false,"data":{"z":1,"a":"é🎉"}}',
    );
  });
});
