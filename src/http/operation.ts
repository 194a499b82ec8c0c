// The only way from a request to the execution of an operation: who asks, how often, with which body; execute;
// answer. `/v1`, `/graphql`, the dashboard and the portals say how each stage is done for them.
//
// The order of the stages is the same for all, because it decides which error a client gets (contract H47):
// credential, permission, rate limit, headers, body, execution. What refuses a request early costs little, so no
// body is read before the caller is known and counted.
//
// A stage returns what it found. What the listener needs when a later stage fails, it finds in the state of the
// request: who asked, and the rate-limit headers. A crash leaves nothing of a request except what its execution
// has committed.
import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import { type AbortState, throwIfAborted } from '../domain/transaction/tx.js';
import type { WithBody } from './bodies.js';
import type { Reply } from './exchange.js';
import { ApiError } from './problems.js';

/** A request for an operation. */
export interface OperationExchange {
  readonly req: IncomingMessage;
  readonly state: {
    readonly deadline?: AbortState;
    /** Who asks, once the credential is known. For the log. */
    caller?: Pick<Viewer, 'account' | 'credential' | 'kind'>;
    /** Headers of each response to a request that was counted. */
    headers?: Reply['headers'];
  };
}

/** What counting a request returns. */
export interface QuotaUse {
  readonly headers: Reply['headers'];
  /** Takes the count back. @returns the headers afterwards */
  readonly uncount?: () => Promise<Reply['headers']>;
}

/** What the stages before the execution found. */
export interface OperationCall<RequestDetails> {
  readonly viewer: Viewer;
  readonly details: RequestDetails;
  readonly body: unknown;
  /** The bytes of the body. */
  readonly bytes: Buffer;
}

/** How the stages of one route are done, in their order. Each throws ApiError or DomainError to refuse. */
export interface OperationStages<Exchange extends OperationExchange, RequestDetails> {
  /** Operations in progress, at most. One more is refused before any query. Unlimited by default. */
  readonly maxConcurrent?: number;
  readonly authenticate: (exchange: Exchange) => Promise<Viewer>;
  /** Checks the permission, where the execution does not. */
  readonly authorize?: (viewer: Viewer) => void;
  readonly count: (viewer: Viewer) => Promise<QuotaUse>;
  /** Checks the method and the headers. @returns what the execution needs of the request besides its body */
  readonly checkHeaders: (exchange: Exchange, viewer: Viewer) => RequestDetails;
  readonly withBody: WithBody;
  readonly runOperation: (
    call: OperationCall<RequestDetails>,
    exchange: Exchange,
  ) => Promise<Reply>;
  /** Whether a reply was stored before. Nothing was done then, so the count is given back as after an error. */
  readonly isRepetition?: (reply: Reply) => boolean;
  /** Creates the reply to a refused request. By default the error is thrown, and the listener sends a Problem. */
  readonly refuse?: (error: unknown) => Reply;
}

/** Creates the function that answers the requests of one route. */
export function operationRoute<Exchange extends OperationExchange, RequestDetails>(
  stages: OperationStages<Exchange, RequestDetails>,
): (exchange: Exchange) => Promise<Reply> {
  const { maxConcurrent = Infinity, refuse } = stages;
  let inFlight = 0;
  return async (exchange) => {
    inFlight += 1;
    try {
      if (inFlight > maxConcurrent) throw overloaded(maxConcurrent);
      return await runStages(stages, exchange);
    } catch (error) {
      if (!refuse) throw error;
      return refuse(error);
    } finally {
      inFlight -= 1;
    }
  };
}

async function runStages<Exchange extends OperationExchange, RequestDetails>(
  stages: OperationStages<Exchange, RequestDetails>,
  exchange: Exchange,
): Promise<Reply> {
  const { req, state } = exchange;
  const { deadline } = state;

  const viewer = await stages.authenticate(exchange);
  state.caller = viewer;
  throwIfAborted(deadline);
  stages.authorize?.(viewer);

  const { headers, uncount } = await stages.count(viewer);
  state.headers = headers;

  let reply: Reply;

  try {
    throwIfAborted(deadline);

    const details = stages.checkHeaders(exchange, viewer);
    reply = await stages.withBody(req, (body, bytes) => {
      throwIfAborted(deadline);
      return stages.runOperation({ viewer, details, body, bytes }, exchange);
    });
  } catch (error) {
    if (uncount) state.headers = await uncount();
    throw error;
  }

  if (uncount && stages.isRepetition?.(reply)) state.headers = await uncount();

  return reply;
}

function overloaded(maximum: number): ApiError {
  const detail = `At most ${maximum} operations can run at a time. Retry later.`;
  return new ApiError('service_unavailable', detail, { retryAfterSeconds: 1 });
}
