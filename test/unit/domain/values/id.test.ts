import { expect } from 'chai';
import { smallestId, makeId, timestampOf } from '../../../../src/domain/values/id.js';
import { createHash } from 'node:crypto';
import { fingerprint } from '../../../../src/domain/values/canonical-json.js';

describe('identifiers', () => {
  it('an identifier tells when it was made, to the millisecond', () => {
    for (const at of [
      '2026-11-20T12:00:00.001Z',
      '1970-01-01T00:00:00.000Z',
      '2099-01-01T00:00:00.999Z',
    ]) {
      expect(timestampOf(makeId('whd', new Date(at))).toISOString()).to.equal(at);
    }
  });

  it('identifiers sort by the time at which they were made', () => {
    const early = makeId('whd', new Date(1_000));
    const late = smallestId('whd', new Date(1_001));
    expect(early < late).to.equal(true);
  });
});

const of = (json: string | undefined, path = '/v1/x', method = 'POST') =>
  fingerprint(method, path, json === undefined ? undefined : JSON.parse(json)).toString('hex');

describe('fingerprint', () => {
  it('H41: a fingerprint is SHA-256 of method, path and canonical body', () => {
    const expected = createHash('sha256').update('PATCH\n/v1/x\n{"a":[1,null],"b":"é"}');
    expect(of('{ "b":"\\u00e9", "a":[1.0,null] }', '/v1/x', 'PATCH')).to.equal(
      expected.digest('hex'),
    );
  });

  it('H41: a fingerprint ignores the order of keys and white space, and nothing else', () => {
    expect(of('{"a":1,"b":{"c":2,"d":3}}')).to.equal(of('{ "b":{"d":3,"c":2}, "a":1 }'));
    const others = [
      of('{"a":[1,2]}'),
      of('{"a":[2,1]}'),
      of('{"a":[1,2]}', '/v1/y'),
      of('{"a":[1,2]}', '/v1/x', 'PUT'),
      of('{}'),
      of(undefined),
    ];
    expect(new Set(others).size).to.equal(others.length);
  });

  it('H26: the fingerprint of a request without a body is always the same', () => {
    expect(of(undefined)).to.equal(of(undefined));
  });

  it('a body with a lone surrogate has another fingerprint than the well-formed body', () => {
    const lone = fingerprint('POST', '/v1/x', { a: '\ud800' }).toString('hex');
    expect(lone).not.to.equal(fingerprint('POST', '/v1/x', { a: '\ufffd' }).toString('hex'));
    expect(lone).not.to.equal(fingerprint('POST', '/v1/x', { a: '\\ud800' }).toString('hex'));
  });

  it('a fingerprint canonicalises text that only looks like an escaped surrogate', () => {
    const one = fingerprint('POST', '/v1/x', { a: '\\ud800', b: 1 });
    expect(one.equals(fingerprint('POST', '/v1/x', { b: 1, a: '\\ud800' }))).to.equal(true);
  });
});
