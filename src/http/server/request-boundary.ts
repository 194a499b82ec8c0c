// The boundary that every request of a listener passes: it gives the request an id, a deadline and a span, sends what a
// handler left in the state of the request, turns whatever is thrown into a Problem, and has the answer recorded.
//
// Each request gets exactly one answer and one call of `record`, also when a handler throws, leaves no reply or one that
// cannot be sent, or takes too long. The listeners differ in the options only. A crash loses responses, and the log
// lines of the last moments.
import type { Middleware, ParameterizedContext } from 'koa';
import { makeId } from '../../domain/values/id.js';
import {
  type OpenSpan,
  parseTraceparent,
  type SpanEnd,
  type Tracing,
  unsampled,
} from '../../process/tracing.js';
import {
  commonHeaders,
  Deadline,
  type Reply,
  type RequestState,
  send,
  sendStreamed,
  type StreamedReply,
} from '../exchange.js';
import { type Problem, toProblem } from '../problems.js';
import { rejectAmbiguousRequest } from './listen.js';

type RequestContext = ParameterizedContext<RequestState>;
type SpanDescription = Pick<SpanEnd, 'attributes' | 'name'>;

/** A request whose response was begun. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly ctx: RequestContext;
  /** That of the Problem, too, if a streamed response could not go on and was cut. */
  readonly status: number;
  /** From the headers of the request to its response. */
  readonly durationMs: number;
  /** What the client got in place of a reply, or would have got; undefined if nothing was thrown. */
  readonly problem: Problem | undefined;
  /** What was thrown; undefined without a problem. */
  readonly error: unknown;
  /** The trace of the span; undefined if it is not recorded. */
  readonly traceparent: string | undefined;
}

/** How the boundaries of two listeners differ. */
interface RequestBoundaryOptions {
  /** Prefix of Problem types, without a trailing slash. */
  readonly origin: string;
  /** Whether browsers reach the listener by TLS, and are to use nothing else. */
  readonly isSecure: boolean;
  readonly tracing: Tracing | undefined;
  /** Whether a request continues the trace of its caller, who so decides what is recorded. */
  readonly continuesTraces: boolean;
  /** Names the span of a request at its start; undefined for a request that gets none. */
  readonly spanName: (ctx: RequestContext) => string | undefined;
  /** Further attributes of the span, and the name that it ends with if that is another one. */
  readonly describeSpan: (request: AnsweredRequest) => SpanDescription;
  /** Counts and logs a request after its response was begun. */
  readonly record: (request: AnsweredRequest) => void;
}

/** Gives each request its id, deadline, span and answer. */
export function requestBoundary(options: RequestBoundaryOptions): Middleware<RequestState> {
  const { origin, isSecure, record } = options;
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = makeId('req', new Date());
    const deadline = new Deadline(ctx.req);
    const span = beginSpan(options, ctx);

    ctx.respond = false;
    ctx.state.deadline = deadline;

    let answer: Reply | StreamedReply;
    let problem: Problem | undefined;
    let error: unknown;
    try {
      rejectAmbiguousRequest(ctx.req);
      await deadline.enforce(next() as Promise<unknown>);
      answer = answerOf(ctx.state);
    } catch (thrown) {
      error = thrown;
      problem = toProblem(error, origin, requestId);
      answer = problem;
    }

    const common = commonHeaders(requestId, isSecure);
    try {
      if (problem) answer = { ...problem, ...ctx.state.renderProblem?.(problem) };
      sendAnswer(ctx, answer, common);
    } catch (thrown) {
      // A bug of ours: a header that HTTP does not allow, or a page or a stream that fails.
      error = problem ? new AggregateError([error, thrown], 'cannot send a Problem') : thrown;
      problem = toProblem(error, origin, requestId);
      answer = problem;
      sendInstead(ctx, problem, common);
    }

    const durationMs = performance.now() - startedAt;
    const request: AnsweredRequest = {
      requestId,
      ctx,
      status: answer.status,
      durationMs,
      problem,
      error,
      traceparent: span?.traceparent,
    };

    if (span) endSpan(span, options.describeSpan(request), request);
    record(request);
  };
}

/** Begins the span, and leaves in the state the trace that later stages continue. */
function beginSpan(
  { tracing, continuesTraces, spanName }: RequestBoundaryOptions,
  ctx: RequestContext,
): OpenSpan | undefined {
  const parent = continuesTraces ? parseTraceparent(ctx.req.headers['traceparent']) : undefined;
  const name = tracing && spanName(ctx);
  const span = name === undefined ? undefined : tracing?.begin({ name, kind: 'server', parent });

  // Workers record what the flag says, so it says what the sampler decided.
  const unrecorded = tracing && parent ? unsampled(parent) : parent;
  ctx.state.traceparent = span?.traceparent ?? unrecorded;

  return span;
}

function sendAnswer(
  { res, method, state }: RequestContext,
  answer: Reply | StreamedReply,
  common: Reply['headers'],
): void {
  if ('begin' in answer) sendStreamed(res, answer, common);
  else send(res, answer, [common, state.headers], method === 'HEAD');
}

/** Sends a Problem in place of an answer that could not be sent, or ends the connection if a part of it was. */
function sendInstead(
  { res, method }: RequestContext,
  problem: Problem,
  common: Reply['headers'],
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // Node keeps the reason phrase of the status that it was given first.
  res.statusMessage = '';
  send(res, problem, [common], method === 'HEAD');
}

function answerOf({ reply, streamed }: RequestState): Reply | StreamedReply {
  const answer = streamed ?? reply;
  if (!answer) throw new Error('No handler set a response.');
  return answer;
}

function endSpan(
  span: OpenSpan,
  description: SpanDescription,
  { requestId, ctx, status }: AnsweredRequest,
): void {
  span.end({
    ...description,
    failed: status >= 500,
    attributes: {
      'http.request.method': ctx.method,
      'http.response.status_code': status,
      'signalpost.request': requestId,
      ...description.attributes,
    },
  });
}
