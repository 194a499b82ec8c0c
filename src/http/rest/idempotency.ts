// An operation with an Idempotency-Key is executed at most once. One transaction takes the lock of the key, reads the key,
// applies the effect and stores the response, so after a crash the client repeats the request and gets either that
// response or a first execution.
//
// A replay waits for the attempt of a worker, and holds neither lock nor connection meanwhile. Its first transaction adds
// the pending delivery and marks the key as pending; a last one stores the response. If the process dies in between, the
// attempt is made all the same, and the next request with the key stores its result.
import { setTimeout as pause } from 'node:timers/promises';
import { fingerprint } from '../../domain/values/canonical-json.js';
import { readReplays } from '../../domain/delivery/replay.js';
import {
  type IdempotentRequest,
  completePending,
  idempotencyLock,
  type KeyState,
  keyStateOf,
  keyStateQuery,
  readKeyState,
  type RecordedResponse,
  recordResponse,
  recordPending,
} from '../../domain/idempotency/idempotency-records.js';
import { countCharacters } from '../../domain/values/text.js';
import { LockNotAvailable, type TransactOptions, type Tx } from '../../domain/transaction/tx.js';
import { execute as executeOperation } from '../../graphql/execute.js';
import { jsonHeaders, type Reply } from '../exchange.js';
import { ApiError, invalidIdempotencyKey } from '../problems.js';
import {
  actorOfCall,
  type Call,
  type DatabaseAccess,
  executeCall,
  restContext,
  type RestResponse,
} from './execute.js';

/** The key is not free. Thrown to leave the transaction and, for a replay, the resolver that runs it. */
class KeyTaken extends Error {
  constructor(readonly state: Exclude<KeyState, { kind: 'free' }>) {
    super('The Idempotency-Key is not free.');
  }
}

/**
 * Executes an operation at most once per key. One transaction locks the key, applies the effect and stores the
 * response. Refuses a held lock; resends a stored response.
 */
export async function runOnce(call: Call): Promise<RestResponse> {
  const { route, exchange, viewer, key, body } = call;
  const digest = fingerprint(
    exchange.req.method ?? '',
    exchange.path,
    route.body ? body : undefined,
  );

  const idempotentRequest = { account: viewer.account, key, fingerprint: digest };
  const run = route.definition.awaitsReplay ? withReplay : withinTransaction;

  try {
    return await run(call, idempotentRequest);
  } catch (error) {
    if (error instanceof LockNotAvailable) throw keyInProgress();
    if (!(error instanceof KeyTaken)) throw error;
    const { state } = error;
    return state.kind === 'done'
      ? replayStored(state.response)
      : finishPending(call, idempotentRequest, state);
  }
}

function withinTransaction(
  call: Call,
  idempotentRequest: IdempotentRequest,
): Promise<RestResponse> {
  return transactOnce(call, idempotentRequest, async (tx) => {
    const response = await executeCall(call, { read: tx, transact: (work) => work(tx) });
    recordResponse(tx, idempotentRequest, responseToStore(response));
    return response;
  });
}

/** Runs the two transactions of a replay. Between them the request holds neither lock nor connection. */
async function withReplay(call: Call, idempotentRequest: IdempotentRequest): Promise<RestResponse> {
  let pendingDeliveryId = '';

  const transact: DatabaseAccess['transact'] = (work) =>
    transactOnce(call, idempotentRequest, async (tx) => {
      const started = await work(tx);
      ({ pendingDeliveryId } = started as { pendingDeliveryId: string });
      await recordPending(tx, idempotentRequest, pendingDeliveryId);
      return started;
    });

  const response = await executeCall(call, { read: call.dependencies.read, transact });
  const stored = await finishReplay(
    call,
    idempotentRequest,
    pendingDeliveryId,
    responseToStore(response),
  );
  return stored ? { ...response, text: stored.body } : response;
}

/**
 * Takes the lock of the key, then reads the key in a separate statement, so that it sees what the last
 * holder committed.
 */
function transactOptions(call: Call, { account, key }: IdempotentRequest): TransactOptions {
  const { route, viewer, exchange } = call;
  const { deadline, traceparent } = exchange.state;
  return {
    actor: actorOfCall(call),
    lock: idempotencyLock(account, key),
    firstQuery: keyStateQuery(account, key),
    signal: deadline,
    traceparent,
    // Changes of one account share a semaphore. Many that wait for one row would take every connection.
    ...(!route.definition.independent && { semaphoreKey: viewer.account }),
  };
}

/**
 * Runs `work` in a transaction if the key is free.
 * - A pending key rolls the transaction back.
 * - A stored response is returned only after a commit, which waits until the synchronous standby has it, too.
 * @throws KeyTaken
 */
async function transactOnce<T>(
  call: Call,
  idempotentRequest: IdempotentRequest,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const outcome = await call.dependencies.transact(
    async (tx) => {
      const state = keyStateOf(tx.firstRows);
      if (state.kind === 'free') return { result: await work(tx) };
      if (state.kind === 'pending') throw new KeyTaken(state);
      if (!state.fingerprint.equals(idempotentRequest.fingerprint)) throw keyConflict();
      return { stored: new KeyTaken(state) };
    },
    transactOptions(call, idempotentRequest),
  );

  if (outcome.stored) throw outcome.stored;
  return outcome.result;
}

/** Refuses a key whose replay still runs; completes one whose attempt has ended. */
async function finishPending(
  call: Call,
  idempotentRequest: IdempotentRequest,
  { pendingDeliveryId, fingerprint: firstFingerprint }: Extract<KeyState, { kind: 'pending' }>,
): Promise<RestResponse> {
  const { viewer, dependencies } = call;
  const { read, replay } = dependencies;
  const end = (await readReplays(read, [pendingDeliveryId])).get(pendingDeliveryId);
  if (end?.kind !== 'recorded') throw keyInProgress();

  // The request that began the replay had this permission, so its completion runs with it.
  const authorized = {
    ...viewer,
    permissions: { ...viewer.permissions, webhooks: 'write' as const },
  };

  const transact = <T>() => Promise.resolve({ pendingDeliveryId } as T);
  const context = restContext({ viewer: authorized, dependencies }, { read, transact }, () =>
    Promise.resolve(end),
  );
  const body = await executeOperation(replay.operation, { id: '' }, context);
  replay.stripNulls?.(body);

  const { status } = replay;
  const stored = await finishReplay(call, idempotentRequest, pendingDeliveryId, { status, body });

  if (!firstFingerprint.equals(idempotentRequest.fingerprint)) throw keyConflict();
  if (!stored) throw keyInProgress();

  return replayStored(stored);
}

const lockTries = 40;
const lockPauseMs = 25;

/** Stores the result of a replay, or returns the stored one; undefined when another request holds the key. */
async function finishReplay(
  call: Call,
  { account, key }: IdempotentRequest,
  pendingDeliveryId: string,
  response: { readonly status: number; readonly body?: unknown },
): Promise<RecordedResponse | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call.dependencies.transact(
        async (tx) => {
          const stored = await completePending(tx, account, key, pendingDeliveryId, response);
          if (stored) return stored;
          const state = await readKeyState(tx, account, key);
          return state.kind === 'done' ? state.response : undefined;
        },
        { lock: idempotencyLock(account, key) },
      );
    } catch (error) {
      // Other holders of the lock only read. If this gives up, a later request completes the replay.
      if (!(error instanceof LockNotAvailable)) throw error;
      if (tries === lockTries) return undefined;
      await pause(lockPauseMs);
    }
  }
}

function responseToStore({ status, headers, body }: RestResponse) {
  const location = headers['Location'];
  return { status, body, ...(location !== undefined && { location }) };
}

/** Refuses a key of another request. */
function keyConflict(): ApiError {
  const detail = 'This Idempotency-Key was already used with a different request.';
  return new ApiError('idempotency_key_conflict', detail);
}

/** Refuses a key whose first request has not ended. */
function keyInProgress(): ApiError {
  const detail = 'The first request with this Idempotency-Key is still running.';
  return new ApiError('idempotency_key_in_progress', detail, { retryAfterSeconds: 1 });
}

const replayedHeader = 'Idempotent-Replayed';

/** Whether the response is a stored one, so this request changed nothing. */
export function isReplayed({ headers }: Reply): boolean {
  return replayedHeader in headers;
}

/** Returns the stored response as that of a request under the same key. */
function replayStored({ status, body, location }: RecordedResponse): RestResponse {
  const headers = {
    ...(body !== null && jsonHeaders),
    [replayedHeader]: 'true',
    ...(location !== null && { Location: location }),
  };
  return { status, text: body, headers };
}

const maxCharacters = 255;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the Idempotency-Key of a request that requires one. It is taken literally, 1 to 255
 * characters.
 * @param values the header's lines as Node returns them, one character per byte
 * @throws ApiError idempotency_key_required, invalid_idempotency_key
 */
export function readKey(values: readonly string[]): string {
  const [value = ''] = values;
  if (values.length > 1)
    throw invalidIdempotencyKey('repeated_header', 'must be sent exactly once');

  if (value === '') {
    const code = 'idempotency_key_required';
    const detail = `This operation requires an Idempotency-Key header of 1 to ${maxCharacters} characters.`;
    throw new ApiError(code, detail, { errors: [{ code, detail, param: 'Idempotency-Key' }] });
  }

  const key = decode(value);
  if (key.includes('\0')) throw invalidIdempotencyKey('nul_byte', 'must not contain a NUL byte');

  if (key.length > maxCharacters && countCharacters(key) > maxCharacters) {
    throw invalidIdempotencyKey('too_long', `must be at most ${maxCharacters} characters`);
  }

  return key;
}

function decode(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    throw invalidIdempotencyKey('invalid_encoding', 'must be valid UTF-8');
  }
}
