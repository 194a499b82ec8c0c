import { expect } from 'chai';
import { isUnavailable } from '../../../../src/domain/transaction/unavailable.js';

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });

describe('isUnavailable', () => {
  for (const code of [
    '57P01',
    '57P03',
    '08006',
    '53300',
    '57014',
    '55P03',
    '25006',
    'ECONNREFUSED',
  ]) {
    it(`treats ${code} as temporary`, () => {
      expect(isUnavailable(withCode(code))).to.equal(true);
    });
  }

  for (const code of ['23505', '22021', '42P01', 'ERR_ASSERTION', 'ENOENT']) {
    it(`reports ${code} as an internal error`, () => {
      expect(isUnavailable(withCode(code))).to.equal(false);
    });
  }

  it('recognises temporary errors of pg that have no code by their messages', () => {
    expect(isUnavailable(new Error('Connection terminated unexpectedly'))).to.equal(true);
    expect(isUnavailable(new Error('timeout exceeded when trying to connect'))).to.equal(true);
  });

  it('finds a temporary error in causes, driver errors and aggregates', () => {
    const refused = withCode('ECONNREFUSED');
    expect(isUnavailable(new Error('outer', { cause: refused }))).to.equal(true);
    expect(isUnavailable(Object.assign(new Error('q'), { driverError: refused }))).to.equal(true);
    expect(isUnavailable(new AggregateError([refused]))).to.equal(true);
  });

  it('stops at circular causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isUnavailable(error)).to.equal(false);
  });

  it('treats a missing socket file as temporary', () => {
    expect(isUnavailable(withCode('ENOENT', { syscall: 'connect' }))).to.equal(true);
  });
});
