import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../api/problem.js';
import type { OwnResponse } from '../api/replies.js';
import { validationFailed } from '../domain/errors.js';
import { type ServerState, readServerState, seesAllOf } from '../domain/stream/snapshot.js';
import { positionAt, type StreamPosition } from '../domain/stream/position.js';
import { type SlotHolder, streamsOfPortals, streamsPerAccount } from '../domain/stream/slots.js';
import type { Read } from '../domain/tx.js';
import type { StreamOwner } from './stream-client.js';
import type { StreamHub } from './stream-hub.js';
import type { StreamSlots } from './stream-slots.js';
import type { StreamQuery } from './stream-query.js';

/** Whose stream it is, and what he may read. */
export type StreamAdmission = Omit<StreamOwner, 'filter'> & SlotHolder;

/** The two ends of one exchange. */
export interface StreamExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface StreamEndpointOptions {
  readonly hub: StreamHub;
  readonly slots: Pick<StreamSlots, 'acquire'>;
  readonly read: Pick<Read, 'sql'>;
  readonly countResumed: () => void;
}

/** Decides on a stream that was admitted, and returns the response that serves it. */
export type OpenStream = (
  exchange: StreamExchange,
  admission: StreamAdmission,
  query: StreamQuery,
) => Promise<OwnResponse>;

/** As long as the lists go back; rows stay for ten days more. */
const retentionMs = 30 * 86_400_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // A cache or a proxy that compresses would hold frames back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Makes the function that opens streams, for all kinds of callers.
 * @returns a function that throws ApiError stream_limit_reached or stream_position_gone, and
 *   DomainError validation_failed
 */
export function createStreamEndpoint(options: StreamEndpointOptions): OpenStream {
  const { hub, slots, read, countResumed } = options;
  return async ({ res }, admission, { filter, ...start }) => {
    if (!(await slots.acquire(admission.account, res, admission.isPortal))) {
      throw limitReached(admission.isPortal);
    }
    const wantsPast = start.position !== undefined || start.since !== undefined;
    const position = wantsPast ? startOf(start, await readServerState(read)) : undefined;
    if (start.position) countResumed();
    return {
      status: 200,
      headers,
      begin: (response) => hub.open(response, { ...admission, filter }, position),
    };
  };
}

function startOf(
  { position, since }: Pick<StreamQuery, 'position' | 'since'>,
  state: ServerState,
): StreamPosition {
  const oldest = state.at - retentionMs;

  if (!position) {
    const at = since && ('at' in since ? since.at : state.at - since.ago);
    if (at !== undefined && at >= oldest) return positionAt(state.database, Math.min(at, state.at));
    const detail = 'Must be within the last 30 days.';
    throw validationFailed([{ code: 'out_of_range', detail, param: 'since' }]);
  }

  const { base, within, database } = position;
  const newest = within?.target ?? base;
  if (database !== state.database || !seesAllOf(state.snapshot, newest.snapshot)) {
    throw gone('The position is of another database, or of one before it was restored.');
  }

  if (newest.since < oldest) throw gone('The position is older than 30 days.');

  return position;
}

function limitReached(isPortal: boolean): ApiError {
  const detail = isPortal
    ? `The portal has ${streamsOfPortals} open streams. Close one first.`
    : `The account has ${streamsPerAccount} open streams. Close one first.`;
  return new ApiError('stream_limit_reached', detail);
}

function gone(why: string): ApiError {
  return new ApiError('stream_position_gone', `${why} Open the stream with since.`);
}
