import { expect } from 'chai';
import {
  groupSizeAfterTimeout,
  nextGroupSize,
  recoveryOf,
  resultOfFollower,
} from '../../../src/domain/event/group-rules.js';
import type { PreparedEvent } from '../../../src/domain/event/prepare-event.js';
import { notFound } from '../../../src/domain/errors.js';
import { SemaphoreRejected, TransactionAborted } from '../../../src/domain/tx.js';

describe('recoveryOf', () => {
  const failed = (code?: string) => Object.assign(new Error('failed'), code && { code });

  it('halves a group with a value that PostgreSQL refuses, down to the event', () => {
    for (const code of ['22021', '22P02', '23502', '23514', '54000']) {
      expect(recoveryOf(failed(code), 2, false), code).to.equal('halve');
      expect(recoveryOf(failed(code), 1, false), code).to.equal('fail');
    }
  });

  it('fails a group of which it is unknown whether it was stored, or that found no room', () => {
    for (const code of ['ECONNRESET', '08006', '57P01', '40001', '40P01', '53300']) {
      expect(recoveryOf(failed(code), 250, false), code).to.equal('fail');
    }
    expect(recoveryOf(failed(), 250, false)).to.equal('fail');
  });

  it('sends a group again that PostgreSQL cancelled, but not one event', () => {
    for (const keyed of [false, true]) {
      expect(recoveryOf(failed('57014'), 2, keyed)).to.equal('resend');
      expect(recoveryOf(failed('57014'), 1, keyed)).to.equal('fail');
    }
  });

  it('halves a group that waited for a key, until its event waits by itself', () => {
    const where = 'while inserting index tuple (0,7) in relation "publish_key"';
    const error = Object.assign(failed('55P03'), { where });
    expect(recoveryOf(error, 2, true)).to.equal('halve');
    expect(recoveryOf(error, 1, true)).to.equal('wait');
  });

  it('lets events with keys wait for another lock, each by itself', () => {
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
  it('shrinks to 10,000 pending deliveries, and doubles again', () => {
    expect(nextGroupSize(250, 1, 1)).to.equal(250);
    expect(nextGroupSize(250, 1, 0)).to.equal(250);
    expect(nextGroupSize(250, 100, 100_000)).to.equal(10);
    expect(nextGroupSize(10, 10, 10)).to.equal(20);
    expect(nextGroupSize(200, 10, 10)).to.equal(250);
    expect(nextGroupSize(250, 2, 30_000_000)).to.equal(1);
  });

  it('stays when a group made what was expected, or one event made more', () => {
    expect(nextGroupSize(250, 10, 10_000)).to.equal(250);
    expect(nextGroupSize(250, 1, 20_000)).to.equal(250);
  });

  it('is half of one that took too long, and at least one event', () => {
    expect([250, 3, 1].map(groupSizeAfterTimeout)).to.deep.equal([125, 1, 1]);
  });
});

describe('resultOfFollower', () => {
  const event = (fingerprint: string) => ({ key: { text: 'k', fingerprint } }) as PreparedEvent;
  const one = event('one');
  const other = event('other');

  it('is the same event for the same content, and a conflict for other content', () => {
    for (const created of [true, false]) {
      const published = { id: 'evt_1', created };
      expect(resultOfFollower(one, one, published)).to.deep.equal({ id: 'evt_1', created: false });
      expect(resultOfFollower(one, other, published)).to.have.property(
        'code',
        'event_key_conflict',
      );
    }
  });

  it('is open for other content when the event before it was refused', () => {
    const refused = notFound('account');
    expect(resultOfFollower(one, one, refused)).to.equal(refused);
    expect(resultOfFollower(one, other, refused)).to.equal(undefined);
  });

  it('is open when the caller before it left', () => {
    expect(resultOfFollower(one, one, new TransactionAborted())).to.equal(undefined);
  });

  it('is unavailable when PostgreSQL was', () => {
    const away = new SemaphoreRejected('away');
    expect(resultOfFollower(one, other, away)).to.equal(away);
  });
});
