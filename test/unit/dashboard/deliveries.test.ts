import { expect } from 'chai';
import {
  fieldsOf,
  instantsOf,
  isCustom,
  isEmptyRange,
  pathOfList,
  readFilter,
  searchOf,
  withRange,
} from '../../../dashboard/src/pages/deliveries/delivery-filter.js';
import {
  addArrived,
  addPage,
  deliveryOfFrame,
  emptyList,
  goOn,
  type ListedDelivery,
  matchesFilter,
  maxRows,
  wantsPage,
} from '../../../dashboard/src/pages/deliveries/delivery-list.js';
import { createHmac } from 'node:crypto';
import {
  signedParts,
  timingPhases,
} from '../../../dashboard/src/pages/deliveries/attempt-rules.js';

const now = Date.parse('2026-11-23T12:00:00Z');

function delivery(number: number, changes: Partial<ListedDelivery> = {}): ListedDelivery {
  return {
    id: `whd_${String(number).padStart(6, '0')}`,
    status: 'success',
    attempt: 1,
    maxAttempts: 10,
    createdAt: '2026-11-23T11:00:00Z',
    durationMs: 12,
    responseStatus: 200,
    eventId: 'evt_1',
    eventType: 'cart.order.completed',
    test: false,
    replayedFrom: null,
    endpoint: { id: 'whs_1' },
    ...changes,
  };
}
const page = (numbers: readonly number[], nextCursor: string | null = null) => ({
  data: numbers.map((number) => delivery(number)),
  page: { nextCursor },
});
const numbersOf = (rows: readonly ListedDelivery[]) => rows.map(({ id }) => Number(id.slice(4)));

describe('the filter of deliveries', () => {
  it('reads the filter from the URL and writes it there', () => {
    const query = { endpoint: 'whs_1', status: 'failed', range: 'day', type: 'a.b' };
    expect(readFilter(query)).to.deep.equal(query);
    expect(pathOfList(readFilter(query), 'whd_1')).to.equal(
      '/dashboard/deliveries?endpoint=whs_1&type=a.b&status=failed&range=day&open=whd_1',
    );
    expect(pathOfList({})).to.equal('/dashboard/deliveries');
  });

  it('ignores values that it does not know', () => {
    expect(readFilter({ status: 'x', range: 'year', since: 'soon', endpoint: '' })).to.deep.equal(
      {},
    );
    const since = '2026-11-22T00:00:00Z';
    expect(readFilter({ since })).to.deep.equal({ since });
    expect(readFilter({ since, range: 'hour' })).to.deep.equal({ range: 'hour' });
  });

  it('keeps a custom range, which starts with the times chosen before', () => {
    const since = '2026-11-22T00:00:00.000Z';
    const until = '2026-11-22T06:30:00.000Z';
    const custom = { range: 'custom', since, until } as const;
    expect(readFilter(custom)).to.deep.equal(custom);
    expect(searchOf(custom, now)).to.deep.equal({ since, until });
    expect(isCustom({ since })).to.equal(true);
    expect(isCustom({ range: 'day' })).to.equal(false);

    expect(withRange({ status: 'failed', range: 'hour' }, 'custom', now)).to.deep.equal({
      status: 'failed',
      range: 'custom',
      since: '2026-11-23T11:00:00.000Z',
    });

    expect(withRange({ since, until }, 'custom', now)).to.deep.equal(custom);
    expect(withRange(custom, 'week', now)).to.deep.equal({ range: 'week' });
    expect(withRange({}, 'custom', now)).to.deep.equal({ range: 'custom' });
    expect(pathOfList(custom)).to.match(
      /\?range=custom&since=2026-11-22T00%3A00%3A00\.000Z&until=/,
    );
  });

  it("shows a range in the reader's time zone, and keeps the seconds of an unchanged field", () => {
    const since = '2026-11-22T10:20:30.456Z';
    const fields = fieldsOf({ since });
    expect(fields.until).to.equal('');
    expect(new Date(fields.since).toISOString()).to.equal('2026-11-22T10:20:00.000Z');
    expect(instantsOf(fields, { since })).to.deep.equal({ since });
    const changed = { since: '', until: fields.since };
    expect(instantsOf(changed, { since })).to.deep.equal({ until: '2026-11-22T10:20:00.000Z' });
    expect(isEmptyRange({ since: '2026-11-22T10:20', until: '2026-11-22T10:20' })).to.equal(true);
    expect(isEmptyRange({ since: '2026-11-22T10:20', until: '2026-11-22T10:21' })).to.equal(false);
    expect(isEmptyRange({ since: '2026-11-22T10:20', until: '' })).to.equal(false);
  });

  it('searches from the start of its range', () => {
    expect(searchOf({ range: 'hour', type: 'a.b' }, now)).to.deep.equal({
      eventType: 'a.b',
      since: '2026-11-23T11:00:00.000Z',
    });
    expect(searchOf({}, now)).to.deep.equal({});
  });
});

describe('the list of deliveries', () => {
  it('holds each delivery once, newest first, whether a page or the stream brought it', () => {
    let list = addPage(emptyList, page([5, 4], 'c1'));
    list = addArrived(list, [delivery(6), delivery(5), delivery(8)], true);
    list = addPage(list, page([4, 3], null));
    // Its attempt began before others that ended earlier.
    list = addArrived(list, [delivery(7)], true);
    expect(numbersOf(list.rows)).to.deep.equal([8, 7, 6, 5, 4, 3]);
    expect(list.next).to.equal(null);
  });

  it('holds back new deliveries while the reader looks at older ones', () => {
    const read = addPage(emptyList, page([2, 1]));
    let list = addArrived(addArrived(read, [delivery(3)], false), [delivery(4)], false);
    expect(numbersOf(list.rows)).to.deep.equal([2, 1]);
    expect(numbersOf(list.arrived)).to.deep.equal([4, 3]);
    list = addArrived(list, [], true);
    expect(numbersOf(list.rows)).to.deep.equal([4, 3, 2, 1]);
    expect(list.arrived).to.deep.equal([]);
    expect(addArrived(list, [delivery(4)], true)).to.equal(list);
  });

  it('holds 10,000 rows, and requests no more', () => {
    const numbers = Array.from({ length: maxRows }, (_, place) => 2 * maxRows - place);
    let list = addPage(emptyList, page(numbers, 'c1'));
    expect(wantsPage(list)).to.equal(false);
    list = addArrived(list, [delivery(2 * maxRows + 1)], true);
    expect(list.rows).to.have.length(maxRows);
    expect(numbersOf(list.rows)[0]).to.equal(2 * maxRows + 1);
  });

  it('continues over three empty pages by itself, and afterwards only when the reader asks', () => {
    let list = addPage(emptyList, page([], 'c1'));
    expect(wantsPage(list)).to.equal(true);
    list = addPage(addPage(list, page([], 'c2')), page([], 'c3'));
    expect(wantsPage(list)).to.equal(false);
    expect(wantsPage(goOn(list))).to.equal(true);
    expect(wantsPage(addPage(list, page([1], 'c4')))).to.equal(true);
    expect(wantsPage(addPage(list, page([], null)))).to.equal(false);
  });
});

describe('a delivery that the stream sends', () => {
  const data = JSON.stringify({
    id: 'whd_000001',
    attempt: 2,
    max_attempts: 10,
    status: 'failed',
    created_at: '2026-11-23T11:00:00Z',
    event_id: 'evt_1',
    event_type: 'cart.order.completed',
    event_version: '1',
    test: false,
    endpoint_id: 'whs_1',
    response_status: 503,
  });

  it('parses a delivery from its frame', () => {
    expect(deliveryOfFrame(data)).to.deep.equal(
      delivery(1, { attempt: 2, status: 'failed', durationMs: null, responseStatus: 503 }),
    );
  });

  it('shows a delivery that matches the filter', () => {
    const failed = deliveryOfFrame(data);
    for (const filter of [{}, { endpoint: 'whs_1', status: 'failed', event: 'evt_1' } as const]) {
      expect(matchesFilter(failed, filter)).to.equal(true);
    }

    for (const filter of [
      { endpoint: 'whs_2' },
      { type: 'a.b' },
      { status: 'success' } as const,
      { event: 'evt_2' },
      { until: '2026-11-23T11:00:00Z' },
    ]) {
      expect(matchesFilter(failed, filter), JSON.stringify(filter)).to.equal(false);
    }
  });
});

describe('the phases of an attempt', () => {
  const none = { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null };

  it('phases start one after the other, and end with the rest of the response', () => {
    expect(
      timingPhases({ lookupMs: 2, connectMs: 3, tlsMs: 10, firstByteMs: 80, totalMs: 100 }),
    ).to.deep.equal([
      { name: 'lookup', startMs: 0, lengthMs: 2 },
      { name: 'connect', startMs: 2, lengthMs: 3 },
      { name: 'tls', startMs: 5, lengthMs: 10 },
      { name: 'firstByte', startMs: 15, lengthMs: 80 },
      { name: 'rest', startMs: 95, lengthMs: 5 },
    ]);
  });

  it('phases show how long an attempt took until it failed', () => {
    expect(timingPhases({ ...none, lookupMs: 1, totalMs: 5_000 })).to.deep.equal([
      { name: 'lookup', startMs: 0, lengthMs: 1 },
      { name: 'cut', startMs: 1, lengthMs: 4_999 },
    ]);
  });

  it('phases are empty if nothing was measured, and are never negative', () => {
    expect(timingPhases(none)).to.deep.equal([]);
    expect(timingPhases({ ...none, firstByteMs: 7, totalMs: 6 })).to.deep.equal([
      { name: 'firstByte', startMs: 0, lengthMs: 7 },
    ]);
  });
});

describe('the signed text of an attempt', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
  const signed = {
    eventId: 'evt_test_1',
    time: '1795132800',
    body: '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}',
  };

  const textOf = (family: 'service' | 'standard') =>
    signedParts(family, signed)
      .map(({ text }) => text)
      .join('');

  it('gives the signatures of the example in docs/receiving.md', () => {
    expect(createHmac('sha256', secret).update(textOf('service')).digest('hex')).to.equal(
      '4d84f0cc0a7cf05e0161700a058f7bd315312974325cf8a2f890b633142d66ab',
    );
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(createHmac('sha256', key).update(textOf('standard')).digest('base64')).to.equal(
      'yugBIPB3JAVY7TsUHc6Vchi/4svQkZSgsRojWkD+Jy4=',
    );
  });
});
