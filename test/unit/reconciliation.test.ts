import { expect } from 'chai';
import { arrivals } from '../support/reconciliation.js';

/** A request as `evt_1 1 200`: event, attempt, and what it was answered with. */
const request = (text: string, path = '/hook') => {
  const [id = '', attempt = '', answered] = text.split(' ');
  return {
    path,
    headers: { 'webhook-id': id, 'x-service-attempt': attempt },
    ...(answered !== undefined && { answered: Number(answered) }),
  };
};

describe('reconciliation of fault tests', () => {
  const duplicates = (...texts: string[]) =>
    arrivals(
      [],
      texts.map((text) => request(text)),
    ).duplicates;

  it('counts an acknowledged event that did not arrive as lost', () => {
    const requests = [request('evt_1 1 200'), request('evt_3 1 200')];
    expect(arrivals(['evt_1', 'evt_2'], requests)).to.deep.equal({
      acked: 2,
      received: 2,
      lost: 1,
      duplicates: 0,
    });
  });

  it('counts a request after an acceptance or for the same attempt as a duplicate', () => {
    expect(duplicates('evt_1 1 500', 'evt_1 2', 'evt_1 3 200')).to.equal(0);
    expect(duplicates('evt_1 1 200', 'evt_1 2 200')).to.equal(1);
    expect(duplicates('evt_1 1', 'evt_1 1 200')).to.equal(1);
    expect(duplicates('evt_1 1 200', 'evt_1 1 200', 'evt_1 2 500')).to.equal(2);
  });

  it('counts each receiver separately', () => {
    const requests = [request('evt_1 1 200', '/one'), request('evt_1 1 200', '/two')];
    expect(arrivals(['evt_1'], requests).duplicates).to.equal(0);
  });
});
