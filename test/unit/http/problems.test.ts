import { expect } from 'chai';
import { DomainError, notFound } from '../../../src/domain/errors.js';
import { problems, toProblem, ApiError } from '../../../src/http/problems.js';

const origin = 'https://api.example';
const requestId = 'req_1';
const body = (thrown: unknown) =>
  JSON.parse(toProblem(thrown, origin, requestId).text) as Record<string, unknown>;

describe('toProblem', () => {
  it('writes exactly the members of the contract', () => {
    expect(body(notFound('checkout'))).to.deep.equal({
      type: 'https://api.example/problems/not-found',
      title: 'Not found',
      status: 404,
      code: 'not_found',
      detail: 'No checkout with this id.',
      request_id: requestId,
      errors: [{ code: 'not_found', detail: 'No checkout with this id.' }],
    });
  });

  it('passes on the Retry-After of the domain', () => {
    const thrown = new DomainError('delivery_in_progress', 'Wait.', undefined, 15);
    expect(toProblem(thrown, origin, requestId).headers['Retry-After']).to.equal('15');
  });

  it('H164: says 429 for a replay of an account with too many pending deliveries', () => {
    const thrown = new DomainError('pending_limit_reached', 'Too many.', undefined, 10);
    const problem = toProblem(thrown, origin, requestId);
    expect(problem).to.include({ status: 429, code: 'rate_limit_exceeded' });
    expect(problem.headers['Retry-After']).to.equal('10');
  });

  it('says 503 for a replay that no worker recorded in time', () => {
    const thrown = new DomainError('replay_unsettled', 'Not yet.', undefined, 5);
    const problem = toProblem(thrown, origin, requestId);
    expect(problem).to.include({ status: 503, code: 'service_unavailable' });
    expect(problem.headers['Retry-After']).to.equal('5');
  });

  it('says 503 for every error that means PostgreSQL is unavailable', () => {
    const internalErrors = [
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      Object.assign(new Error('terminating'), { code: '57P01' }),
      Object.assign(new Error('too many'), { code: '53300' }),
      Object.assign(new Error('conn'), { code: '08006' }),
      new Error('timeout exceeded when trying to connect'),
      Object.assign(new Error('query failed'), { driverError: { code: '22P05' }, code: '40001' }),
    ];
    for (const internalError of internalErrors) {
      const problem = toProblem(internalError, origin, requestId);
      expect(problem, internalError.message).to.include({ status: 503 });
      expect(problem.headers['Retry-After']).to.equal('5');
    }
  });

  it('never says 500 for data that PostgreSQL refuses', () => {
    for (const code of ['22021', '22P02', '22P05', '22003', '22008']) {
      expect(body(Object.assign(new Error('no'), { code }))).to.include({ status: 422 });
      const wrapped = Object.assign(new Error('no'), { driverError: { code } });
      expect(body(wrapped)).to.include({ status: 422, code: 'validation_failed' });
    }
  });

  it('sets the log level', () => {
    const levels: [unknown, string][] = [
      [notFound('checkout'), 'info'],
      [new ApiError('validation_failed', ''), 'info'],
      [Object.assign(new Error('no'), { code: '22003' }), 'warn'],
      [Object.assign(new Error('away'), { code: '57P01' }), 'warn'],
      [new Error('ours'), 'error'],
    ];
    for (const [thrown, level] of levels) {
      expect(toProblem(thrown, origin, requestId), String(thrown)).to.include({ level });
    }
  });

  it('shows no detail of an internal error', () => {
    const thrown = new Error('password=hunter2');
    expect(toProblem(thrown, origin, requestId).text).not.to.include('hunter2');
    expect(body(thrown)).to.include({ status: 500, code: 'internal_error' });
    expect(body(new DomainError('event_key_conflict', 'Internal only.'))).to.include({
      code: 'internal_error',
    });
    expect(body(undefined)).to.include({ status: 500 });
  });

  it('closes the connection exactly where the rest of the request should not be read', () => {
    const closing = Object.keys(problems).filter(
      (code) =>
        toProblem(new ApiError(code as keyof typeof problems, ''), origin, requestId).headers[
          'Connection'
        ] === 'close',
    );
    expect(closing).to.have.members([
      'malformed_request',
      'request_timeout',
      'payload_too_large',
      'headers_too_large',
    ]);
  });
});
