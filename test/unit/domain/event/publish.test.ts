import { expect } from 'chai';
import { envelopeBytes, type PreparedEvent } from '../../../../src/domain/event/prepare-event.js';
import { notFound } from '../../../../src/domain/errors.js';
import {
  ByteBudget,
  resetFanOuts,
  type FanOut,
  FanOuts,
  GroupRoom,
  groupSizeAfterTimeout,
  learnFanOuts,
  nextGroupSize,
  recoveryOf,
  resultOfFollower,
  WaitingEvents,
} from '../../../../src/domain/event/group-commit.js';
import { SemaphoreRejected, TransactionAborted } from '../../../../src/domain/transaction/tx.js';

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

const none = { total: 0, perAccount: 0 };

describe('ByteBudget', () => {
  it('refuses bytes beyond the limit of an account, or beyond the total', () => {
    const budget = new ByteBudget({ total: 10, perAccount: 6, reserve: none });
    expect(budget.reserve('a', 6)).to.equal(true);
    expect(budget.reserve('a', 1)).to.equal(false);
    expect(budget.reserve('b', 5)).to.equal(false);
    expect(budget.reserve('b', 4)).to.equal(true);
    expect(budget.total).to.equal(10);
    budget.release('a', 6);
    expect(budget.reserve('b', 3)).to.equal(false);
    expect(budget.reserve('c', 6)).to.equal(true);
  });

  it('keeps a reserve for accounts that have few bytes waiting', () => {
    const budget = new ByteBudget({
      total: 10,
      perAccount: 6,
      reserve: { total: 4, perAccount: 2 },
    });

    for (const account of ['a', 'b']) expect(budget.reserve(account, 5)).to.equal(true);
    expect(budget.reserve('a', 1)).to.equal(false);
    expect(budget.reserve('c', 3)).to.equal(false);
    expect(budget.reserve('c', 2)).to.equal(true);
    expect(budget.reserve('c', 1)).to.equal(false);
    expect(budget.reserve('d', 2)).to.equal(true);
    expect(budget.reserve('e', 1)).to.equal(false);
    budget.release('a', 5);
    expect(budget.reserve('c', 2)).to.equal(false);
    expect(budget.reserve('a', 2)).to.equal(true);
  });
});

const fanOut = (perEvent?: number, name = 'acc_1 type'): FanOut => ({ name, perEvent });
const times = (count: number, one: FanOut) => Array<FanOut>(count).fill(one);

describe('WaitingEvents', () => {
  const itemOf = (text: string, bytes = 1, perEvent = 1) => ({
    accountId: text[0] ?? '',
    bytes,
    text,
    fanOut: fanOut(perEvent),
  });

  const waitingOf = (texts: string, bytes = 1) => {
    const waiting = new WaitingEvents<ReturnType<typeof itemOf>>();
    for (const text of texts.split(' ')) waiting.add(itemOf(text, bytes));
    return waiting;
  };

  const limits = (events = 250) => ({ events, bytes: 1_000, room: new GroupRoom() });
  const textOf = (group: readonly { text: string }[]) => group.map(({ text }) => text).join(' ');

  it('gives accounts turns, and keeps the order within each', () => {
    const waiting = waitingOf('a1 a2 a3 b1 c1 c2');
    const group = waiting.take(limits(), () => true);
    expect(textOf(group)).to.equal('a1 b1 c1 a2 c2 a3');
    expect(waiting.take(limits(), () => true)).to.deep.equal([]);
  });

  it('lets events that are sent again go before the others of their account', () => {
    const waiting = waitingOf('a3 b1');
    waiting.addFirst(['a1', 'c1', 'a2'].map((text) => itemOf(text)));
    expect(textOf(waiting.take(limits(), () => true))).to.equal('a1 b1 c1 a2 a3');
  });

  it('continues with the account whose turn is next', () => {
    const waiting = waitingOf('a1 a2 a3 a4 b1 b2 c1');
    const four = () => textOf(waiting.take(limits(4), () => true));
    expect(four()).to.equal('a1 b1 c1 a2');
    waiting.add(itemOf('d1'));
    expect(four()).to.equal('b2 a3 d1 a4');
  });

  it('ends a group before the event that would exceed its bytes, which begins the next one', () => {
    const waiting = waitingOf('a1 b1 a2', 600);
    const next = () => textOf(waiting.take(limits(), () => true));
    expect([next(), next(), next(), next()]).to.deep.equal(['a1', 'b1', 'a2', '']);
  });

  it('takes an event that is larger than a group alone', () => {
    expect(textOf(waitingOf('a1 a2', 5_000).take(limits(), () => true))).to.equal('a1');
  });

  it('ends a group before an event that has no room, which begins the next one', () => {
    const waiting = waitingOf('a1');
    waiting.add(itemOf('b1', 1, 10_000));
    for (const text of ['c1', 'a2']) waiting.add(itemOf(text));
    const next = () => textOf(waiting.take(limits(), () => true));
    expect([next(), next(), next()]).to.deep.equal(['a1', 'b1', 'c1 a2']);
  });

  it('drops events that do not join, and fills the group with others', () => {
    const waiting = waitingOf('a1 a2 a3 b1');
    const joins = ({ text }: { text: string }) => text !== 'a1';
    expect(textOf(waiting.take(limits(2), joins))).to.equal('b1 a2');
    expect(textOf(waiting.take(limits(), joins))).to.equal('a3');
  });
});

describe('recoveryOf', () => {
  const failed = (code?: string) => Object.assign(new Error('failed'), code && { code });

  it('halves a group with a value that PostgreSQL refuses, down to the event', () => {
    for (const code of ['22021', '22P02', '23502', '23514', '54000']) {
      expect(recoveryOf(failed(code), 2, false), code).to.equal('halve');
      expect(recoveryOf(failed(code), 1, false), code).to.equal('fail');
    }
  });

  it('fails a group that may or may not be stored, or that PostgreSQL had no room for', () => {
    for (const code of ['ECONNRESET', '08006', '57P01', '53300']) {
      expect(recoveryOf(failed(code), 250, false), code).to.equal('fail');
    }
    expect(recoveryOf(failed(), 250, false)).to.equal('fail');
  });

  it('resends a group that PostgreSQL cancelled, but not a single event', () => {
    for (const keyed of [false, true]) {
      expect(recoveryOf(failed('57014'), 2, keyed)).to.equal('resend');
      expect(recoveryOf(failed('57014'), 1, keyed)).to.equal('fail');
    }
  });

  it('resends a group, or a single event, that a deadlock or another transaction rolled back', () => {
    for (const code of ['40001', '40P01']) {
      for (const events of [1, 2]) {
        expect(recoveryOf(failed(code), events, true)).to.equal('resend');
        expect(recoveryOf(failed(code), events, false)).to.equal('resend');
      }
    }
  });

  it('halves a group that waited for a key, until the event of that key waits alone', () => {
    const where = 'while inserting index tuple (0,7) in relation "publish_key"';
    const error = Object.assign(failed('55P03'), { where });
    expect(recoveryOf(error, 2, true)).to.equal('halve');
    expect(recoveryOf(error, 1, true)).to.equal('wait');
  });

  it('lets each event with a key wait alone for any other lock', () => {
    for (const events of [1, 2]) {
      expect(recoveryOf(failed('55P03'), events, true)).to.equal('wait');
    }
  });

  it('fails a group without keys that waited for a lock as long as the connection allows', () => {
    for (const events of [1, 2]) {
      expect(recoveryOf(failed('55P03'), events, false)).to.equal('fail');
    }
  });
});

describe('the size of the next group', () => {
  it('shrinks a group to 10,000 pending deliveries, and doubles it again', () => {
    expect(nextGroupSize(250, 1, 1)).to.equal(250);
    expect(nextGroupSize(250, 1, 0)).to.equal(250);
    expect(nextGroupSize(250, 100, 100_000)).to.equal(10);
    expect(nextGroupSize(10, 10, 10)).to.equal(20);
    expect(nextGroupSize(200, 10, 10)).to.equal(250);
    expect(nextGroupSize(250, 2, 30_000_000)).to.equal(1);
  });

  it('keeps the size when a group made what was expected, or a single event made more', () => {
    expect(nextGroupSize(250, 10, 10_000)).to.equal(250);
    expect(nextGroupSize(250, 1, 20_000)).to.equal(250);
  });

  it('halves a group that took too long, down to one event', () => {
    expect([250, 3, 1].map(groupSizeAfterTimeout)).to.deep.equal([125, 1, 1]);
  });
});

describe('resultOfFollower', () => {
  const event = (fingerprint: string) => ({ key: { text: 'k', fingerprint } }) as PreparedEvent;
  const one = event('one');
  const other = event('other');

  it('returns the leader’s event for the same content, and a conflict for other content', () => {
    for (const created of [true, false]) {
      const published = { id: 'evt_1', created };
      expect(resultOfFollower(one, one, published)).to.deep.equal({ id: 'evt_1', created: false });
      expect(resultOfFollower(one, other, published)).to.have.property(
        'code',
        'event_key_conflict',
      );
    }
  });

  it('leaves other content undecided when the leader was refused', () => {
    const refused = notFound('account');
    expect(resultOfFollower(one, one, refused)).to.equal(refused);
    expect(resultOfFollower(one, other, refused)).to.equal(undefined);
  });

  it('leaves the follower undecided when the leader’s caller left', () => {
    expect(resultOfFollower(one, one, new TransactionAborted())).to.equal(undefined);
  });

  it('fails the follower when PostgreSQL was unavailable', () => {
    const away = new SemaphoreRejected('away');
    expect(resultOfFollower(one, other, away)).to.equal(away);
  });
});

describe('GroupRoom', () => {
  /** How many of `events` fit, one after the other. */
  const fitting = (events: readonly FanOut[]) => {
    const room = new GroupRoom();
    const end = events.findIndex((event) => {
      if (!room.fits(event, 'acc_1')) return true;
      room.add(event, 'acc_1');
      return false;
    });
    return end === -1 ? events.length : end;
  };

  it('has room for 10,000 pending deliveries', () => {
    expect(fitting(times(50, fanOut(1_000)))).to.equal(10);
    expect(fitting(times(50, fanOut(9_999)))).to.equal(1);
    expect(fitting([...times(9, fanOut(1_000)), ...times(50, fanOut(100))])).to.equal(19);
    expect(fitting(times(300, fanOut(0)))).to.equal(300);
  });

  it('has room for 250 events that make few pending deliveries', () => {
    expect(fitting(times(250, fanOut(40)))).to.equal(250);
  });

  it('has room for ten events of an account and type whose fan-out is unknown', () => {
    const others = Array.from({ length: 240 }, (_, place) =>
      fanOut(undefined, `acc_${place} type`),
    );
    expect(fitting(times(50, fanOut()))).to.equal(10);
    expect(fitting([...times(10, fanOut()), ...others])).to.equal(250);
    expect(fitting([...times(10, fanOut(1_000, 'acc_2 type')), ...others])).to.equal(10);
  });
});

describe('the fan-outs of accounts and types', () => {
  it('remembers a fan-out for each account and type', () => {
    const all = new FanOuts();
    const one = all.of({ accountId: 'acc_1', type: 'a.b' });
    expect(one).to.deep.equal({ name: 'acc_1 a.b', perEvent: undefined });
    expect(all.of({ accountId: 'acc_1', type: 'a.b' })).to.equal(one);
    expect(all.of({ accountId: 'acc_1', type: 'a.c' })).not.to.equal(one);
    expect(all.of({ accountId: 'acc_2', type: 'a.b' })).not.to.equal(one);
  });

  it('learns fan-outs from a group that names them', () => {
    const large = fanOut(1, 'a');
    const small = fanOut(undefined, 'b');
    const none = fanOut(5_000, 'c');
    const stored = [...times(2, large), small, none];
    learnFanOuts(stored, { fanOut: 2_003, named: { a: 2_000, b: 3 } });
    expect([large.perEvent, small.perEvent, none.perEvent]).to.deep.equal([1_000, 3, 0]);
  });

  it('learns fan-outs from a small total if each event makes few at most', () => {
    const many = fanOut(undefined, 'a');
    const single = fanOut(undefined, 'b');
    const known = fanOut(2, 'c');
    learnFanOuts([...times(10, many), single, known], { fanOut: 400, named: null });
    expect([many.perEvent, single.perEvent, known.perEvent]).to.deep.equal([40, undefined, 2]);
  });

  it('lowers a fan-out when endpoints are removed', () => {
    const large = fanOut(1_000);
    learnFanOuts([large], { fanOut: 300, named: null });
    expect(large.perEvent).to.equal(300);
    learnFanOuts(times(2, large), { fanOut: 2, named: null });
    expect(large.perEvent).to.equal(1);
  });

  it('distrusts fan-outs after a timeout: small ones become unknown, then each event goes alone', () => {
    const few = fanOut(1, 'a');
    const large = fanOut(undefined, 'b');
    const group = [...times(3, few), large];
    resetFanOuts(group);
    expect([few.perEvent, large.perEvent]).to.deep.equal([undefined, 10_000]);
    resetFanOuts(group);
    expect([few.perEvent, large.perEvent]).to.deep.equal([10_000, 10_000]);
  });
});
