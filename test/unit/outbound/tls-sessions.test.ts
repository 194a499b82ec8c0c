import { expect } from 'chai';
import {
  type Certificate,
  isValid,
  TlsSessionCache,
  validityOf,
} from '../../../src/outbound/ssrf-guard.js';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const hourMs = 3_600_000;
const now = Date.parse('2026-11-22T12:00:00Z');
const session = (text: string) => ({
  ticket: Buffer.from(text),
  validity: { from: now, until: now + hourMs },
});

describe('TLS sessions', () => {
  it('are kept by destination, the newest only, for a hundred destinations', () => {
    const sessions = new TlsSessionCache();
    const ticketOf = (name: string) => sessions.get(name, now)?.ticket.toString();
    sessions.set('1', session('one'));
    sessions.set('1', session('two'));
    expect(ticketOf('1')).to.equal('two');
    expect(ticketOf('0')).to.equal(undefined);
    for (let place = 2; place <= 101; place += 1) sessions.set(`${place}`, session('x'));
    expect(ticketOf('1')).to.equal(undefined);
    expect(ticketOf('2')).to.equal('x');
  });

  it('H116: are dropped when their validity ends', () => {
    const sessions = new TlsSessionCache();
    for (const [at, known] of [
      [now, true],
      [now + hourMs - 1, true],
      [now + hourMs, false],
      [now - 1, false],
    ] as const) {
      sessions.set('1', session('one'));
      expect(sessions.get('1', at) !== undefined, `${at - now} ms`).to.equal(known);
      expect(sessions.get('1', now) !== undefined, `after ${at - now} ms`).to.equal(known);
    }
  });

  it('H116: are valid for an hour, or until a certificate of the chain expires', () => {
    const chain = (...inMs: readonly number[]): Certificate => {
      const [first = 0, ...others] = inMs;
      const each: Mutable<Certificate> = { valid_to: new Date(now + first).toUTCString() };
      each.issuerCertificate = others.length > 0 ? chain(...others) : each;
      return each;
    };

    for (const [endsConnection, untilMs] of [
      [[24 * hourMs, 48 * hourMs], hourMs],
      [[60_000, 48 * hourMs], 60_000],
      [[24 * hourMs, 60_000, 48 * hourMs], 60_000],
      [[24 * hourMs, 48 * hourMs, 60_000], 60_000],
      [[24 * hourMs, 48 * hourMs, -60_000], hourMs],
      [[-60_000, 48 * hourMs], -60_000],
    ] as const) {
      const expected = { from: now, until: now + untilMs };
      expect(validityOf(chain(...endsConnection), now), endsConnection.join()).to.deep.equal(
        expected,
      );
    }

    expect(isValid(validityOf({ valid_to: 'some day' }, now), now)).to.equal(false);
  });
});
