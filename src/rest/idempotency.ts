import { setTimeout as pause } from 'node:timers/promises';
import { readReplays } from '../domain/delivery/replay.js';
import { fingerprint } from '../domain/canonical-json.js';
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
} from '../domain/idempotency/idempotency-records.js';
import { LockNotAvailable, type TransactOptions, type Tx } from '../domain/tx.js';
import { execute } from '../graphql/execute.js';
import { type RestResponse, type Call, rateLimited, unavailable } from './call.js';
import { keyConflict, keyInProgress } from './key-refusals.js';
import { replayStored } from './replayed-response.js';

/** A pending replay holds the key. Thrown to leave the transaction. */
class KeyPending extends Error {
  constructor(readonly state: Extract<KeyState, { kind: 'pending' }>) {
    super('A pending replay holds the Idempotency-Key.');
  }
}

/** The key has an idempotency record. Thrown after the transaction that read it was committed. */
class KeyDone extends Error {
  constructor(readonly response: RestResponse) {
    super('The Idempotency-Key has a stored response.');
  }
}

/**
 * Runs `proceed`, which sets `call.response`, at most once per key. One transaction locks the key,
 * applies the effect and stores the response. Refuses a held lock; resends a stored response.
 */
export async function runOnce(call: Call, proceed: () => Promise<void>): Promise<void> {
  const { request, path } = call.incoming;
  const digest = fingerprint(request.method ?? '', path, call.route.body ? call.body : undefined);
  const claim = { account: call.viewer.account, key: call.key, fingerprint: digest };
  const run = call.route.handler.awaitsReplay ? withReplay : withinTransaction;
  try {
    await run(call, claim, proceed);
  } catch (error) {
    if (error instanceof KeyDone) call.response = error.response;
    else if (error instanceof KeyPending) await finishPending(call, claim, error.state);
    else throw error instanceof LockNotAvailable ? keyInProgress() : error;
  }
}

async function withinTransaction(
  call: Call,
  claim: IdempotentRequest,
  proceed: () => Promise<void>,
): Promise<void> {
  await transactOnce(call, claim, async (tx) => {
    call.transact = (work) => work(tx);
    call.read = tx;
    await proceed();
    recordResponse(tx, claim, responseToStore(call));
  });
}

/** The two transactions of a replay. Between them the request holds neither lock nor connection. */
async function withReplay(
  call: Call,
  claim: IdempotentRequest,
  proceed: () => Promise<void>,
): Promise<void> {
  let pendingDeliveryId = '';
  call.transact = (work) =>
    transactOnce(call, claim, async (tx) => {
      const started = await work(tx);
      ({ pendingDeliveryId } = started as { pendingDeliveryId: string });
      await recordPending(tx, claim, pendingDeliveryId);
      return started;
    });
  await proceed();
  const stored = await finishReplay(call, claim, pendingDeliveryId, responseToStore(call));
  if (stored) call.response = { ...call.response, text: stored.body };
}

/**
 * Takes the lock of the key, then reads the key: a statement of its own, so that it sees what the last
 * holder committed.
 */
function transactOptions(
  { route, viewer, actor, incoming }: Call,
  { account, key }: IdempotentRequest,
): TransactOptions {
  return {
    actor,
    lock: idempotencyLock(account, key),
    first: keyStateQuery(account, key),
    signal: incoming.deadline,
    traceparent: incoming.traceparent,
    // Changes of one account share a semaphore. Many that wait for one row would take every connection.
    ...(!route.handler.independent && { semaphoreKey: viewer.account }),
  };
}

/**
 * Runs `work` in a transaction if the key is free. A stored response is returned only after a commit,
 * which waits until the synchronous standby has the response too.
 * @throws KeyDone with the stored response
 */
async function transactOnce<T>(
  call: Call,
  claim: IdempotentRequest,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await call.dependencies.transact(
    async (tx) => claimKey(tx, claim) ?? { done: await work(tx) },
    transactOptions(call, claim),
  );
  if (result instanceof KeyDone) throw result;
  return result.done;
}

/** Returns undefined if the key is free. */
function claimKey(tx: Tx, claim: IdempotentRequest): KeyDone | undefined {
  const state = keyStateOf(tx.first);
  if (state.kind === 'pending') throw new KeyPending(state);
  if (state.kind === 'free') return undefined;
  if (!state.fingerprint.equals(claim.fingerprint)) throw keyConflict();
  return new KeyDone(replayStored(state.response));
}

/** Refuses a key whose replay still runs; completes one whose attempt has ended. */
async function finishPending(
  call: Call,
  claim: IdempotentRequest,
  { pendingDeliveryId, fingerprint: firstFingerprint }: Extract<KeyState, { kind: 'pending' }>,
): Promise<void> {
  const { viewer } = call;
  const { read, replay } = call.dependencies;
  const end = (await readReplays(read, [pendingDeliveryId])).get(pendingDeliveryId);
  if (end?.kind !== 'recorded') throw keyInProgress();
  const body = await execute(
    replay.operation,
    { id: '' },
    {
      // The request that began the replay was authorized.
      viewer: { ...viewer, permissions: { ...viewer.permissions, webhooks: 'write' } },
      read,
      publish: unavailable,
      publishAtomically: unavailable,
      schemas: unavailable,
      report: unavailable,
      transact: <T>() => Promise.resolve({ pendingDeliveryId } as T),
      waitForReplay: () => Promise.resolve(end),
      rateLimited,
      transport: 'rest',
    },
  );
  replay.omit?.(body);
  const stored = await finishReplay(call, claim, pendingDeliveryId, {
    status: replay.status,
    body,
  });
  if (!firstFingerprint.equals(claim.fingerprint)) throw keyConflict();
  if (!stored) throw keyInProgress();
  call.response = replayStored(stored);
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

function responseToStore({ response, responseBody }: Call) {
  const { status, headers } = response;
  const location = headers['Location'];
  return { status, body: responseBody, ...(location !== undefined && { location }) };
}
