import { expect } from 'chai';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { allProblems, ApiError } from '../../../../src/http/problems.js';
import { DomainError, validationFailed } from '../../../../src/domain/errors.js';
import {
  createFormatError,
  statusOf,
  toErrorExtensions,
} from '../../../../src/http/graphql/errors.js';

describe('toErrorExtensions', () => {
  it('shows a domain error in full', () => {
    const error = new DomainError('delivery_in_progress', 'Being sent.', undefined, 15);
    expect(toErrorExtensions(error)).to.deep.equal({
      code: 'delivery_in_progress',
      detail: 'Being sent.',
      errors: [{ code: 'delivery_in_progress', detail: 'Being sent.' }],
      retryAfterSeconds: 15,
    });
  });

  it('says that PostgreSQL is unreachable, and when to retry', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(toErrorExtensions(refused)).to.include({
      code: 'service_unavailable',
      retryAfterSeconds: 5,
    });
  });

  it('shows when to retry after an ApiError', () => {
    const error = new ApiError('rate_limit_exceeded', 'Too many.', { retryAfterSeconds: 7 });
    expect(toErrorExtensions(error)).to.include({
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 7,
    });
    expect(error.headers).to.deep.equal({ 'Retry-After': '7' });
  });

  it('shows a value that PostgreSQL rejects as an internal error', () => {
    const rejected = Object.assign(new Error('no'), { code: '22003' });
    expect(toErrorExtensions(rejected)).to.include({ code: 'internal_error' });
  });

  it('shows no detail of an internal error', () => {
    const { code, detail } = toErrorExtensions(new Error('secret thing'));
    expect(code).to.equal('internal_error');
    expect(detail).not.to.contain('secret');
  });
});

describe('statusOf', () => {
  it('returns the status of the Problem with this code', () => {
    for (const [code, { status }] of Object.entries(allProblems)) {
      expect(statusOf(code), code).to.equal(status);
    }
  });

  it('has statuses for codes without a Problem', () => {
    expect(statusOf('replay_unsettled')).to.equal(503);
    expect(statusOf('BAD_USER_INPUT')).to.equal(400);
    expect(statusOf('event_key_conflict')).to.equal(409);
  });
});

describe('createFormatError', () => {
  const reports: unknown[] = [];
  const counted: string[] = [];
  const format = createFormatError(
    (error) => reports.push(error),
    (code) => counted.push(code),
  );

  const formatted = (message: string, code?: string): GraphQLFormattedError => ({
    message,
    path: ['x'],
    extensions: { code: code ?? 'INTERNAL_SERVER_ERROR', stacktrace: ['secret'] },
  });

  const thrown = (originalError: Error) => new GraphQLError('outer', { originalError });

  beforeEach(() => void reports.splice(0));

  it('gives a domain error its own code and entries', () => {
    const errors = [{ code: 'too_long' as const, detail: 'Too long.', param: 'url' }];
    const answer = format(formatted('x'), thrown(validationFailed(errors)));
    expect(answer).to.deep.equal({
      message: 'One or more fields were refused.',
      path: ['x'],
      extensions: { code: 'validation_failed', detail: 'One or more fields were refused.', errors },
    });
    expect(reports).to.deep.equal([]);
  });

  it('masks everything else and reports it once', () => {
    const internalError = new Error('password=hunter2');
    for (let time = 0; time < 2; time += 1) {
      const answer = format(formatted(internalError.message), thrown(internalError));
      expect(JSON.stringify(answer)).not.to.match(/hunter2|stacktrace/);
      expect(answer.extensions).to.include({ code: 'internal_error' });
    }
    expect(reports).to.deep.equal([internalError]);
  });

  it('keeps errors of the request as GraphQL words them', () => {
    const error = new GraphQLError('Cannot query field "y".');
    const answer = format(formatted(error.message, 'GRAPHQL_VALIDATION_FAILED'), error);
    expect(answer).to.deep.equal({
      message: 'Cannot query field "y".',
      path: ['x'],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(reports).to.deep.equal([]);
  });

  it('treats an argument that a variable left empty as an error of the request', () => {
    const message = 'Argument "limit" of non-null type "Int!" must not be null.';
    const answer = format(formatted(message), new GraphQLError(message));
    expect(answer.extensions).to.deep.equal({ code: 'BAD_USER_INPUT' });
  });
});
