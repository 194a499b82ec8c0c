import { setTimeout as pause } from 'node:timers/promises';
import { readReplays } from '../domain/delivery/replay.js';
import { fingerprint } from '../domain/idempotency/fingerprint.js';
import {
  type Claim,
  finish,
  keyLock,
  type KeyState,
  lookUp,
  type Replayable,
  store,
  storePending,
} from '../domain/idempotency/once.js';
import { LockTaken, type TransactOptions, type Tx } from '../domain/tx.js';
import { execute } from '../graphql/execute.js';
import { type Answer, type Call, counted } from './call.js';
import { Refused } from './problem.js';

const replayedHeader = 'Idempotent-Replayed';

/** The key is taken by a replay; thrown through the resolver to leave its transaction. */
class KeyPending extends Error {
  constructor(readonly state: Extract<KeyState, { kind: 'pending' }>) {
    super('the key belongs to a replay');
  }
}

/** The key has a stored response; thrown through the resolver to leave its transaction. */
class KeyDone extends Error {
  constructor(readonly answer: Answer) {
    super('the key has a stored response');
  }
}

/**
 * Runs `proceed` at most once for each key (H40–H49): effect and stored response are one
 * transaction, which holds the key's lock. Whoever finds the lock taken, or a replay under way, is
 * refused; whoever finds a response gets it again.
 * @param proceed sets `call.answer`
 */
export async function once(call: Call, proceed: () => Promise<void>): Promise<void> {
  const { request, path } = call.arrival;
  const print = fingerprint(request.method ?? '', path, call.route.body ? call.body : undefined);
  const claim = { account: call.viewer.account, key: call.key, fingerprint: print };
  const run = call.route.row.waits ? withReplay : withinTransaction;
  try {
    await run(call, claim, proceed);
  } catch (error) {
    if (error instanceof KeyDone) call.answer = error.answer;
    else if (error instanceof KeyPending) await finishPending(call, claim, error.state);
    else throw error instanceof LockTaken ? inProgress() : error;
  }
}

async function withinTransaction(
  call: Call,
  claim: Claim,
  proceed: () => Promise<void>,
): Promise<void> {
  const lock = keyLock(claim.account, claim.key);
  await call.world.transact(
    async (tx) => {
      await claimFree(tx, claim);
      call.transact = (work) => work(tx);
      call.read = tx;
      await proceed();
      await store(tx, claim, storable(call));
    },
    { lock, signal: call.arrival.deadline, ...turnOf(call) },
  );
}

/** The two transactions of a replay (H76): between them nothing is held. */
async function withReplay(call: Call, claim: Claim, proceed: () => Promise<void>): Promise<void> {
  const { world } = call;
  const lock = keyLock(claim.account, claim.key);
  let chain = '';
  call.transact = (work) =>
    world.transact(
      async (tx) => {
        await claimFree(tx, claim);
        const begun = await work(tx);
        ({ chainId: chain } = begun as { chainId: string });
        await storePending(tx, claim, chain);
        return begun;
      },
      { lock, signal: call.arrival.deadline, ...turnOf(call) },
    );
  await proceed();
  const stored = await finishChain(call, claim, chain, storable(call));
  if (stored) call.answer = { ...call.answer, text: stored.body };
}

/** The changes of an account take turns: many that wait for one row would hold every connection. */
function turnOf({ route, viewer }: Call): Pick<TransactOptions, 'turn'> {
  return route.row.independent ? {} : { turn: viewer.account };
}

/** Goes on when the key is free; a statement of its own, after the lock was won (H48). */
async function claimFree(tx: Tx, claim: Claim): Promise<void> {
  const state = await lookUp(tx, claim.account, claim.key);
  if (state.kind === 'pending') throw new KeyPending(state);
  if (state.kind === 'free') return;
  if (!state.fingerprint.equals(claim.fingerprint)) throw conflict();
  throw new KeyDone(again(state.response));
}

/**
 * What a request gets whose key belongs to a replay: in progress while that has not settled;
 * otherwise it is finished first, whoever began it (H76.2, H76.3).
 */
async function finishPending(
  call: Call,
  claim: Claim,
  { chain, fingerprint: begunBy }: Extract<KeyState, { kind: 'pending' }>,
): Promise<void> {
  const { viewer, world } = call;
  const end = (await readReplays(world.read, [chain])).get(chain);
  if (end?.kind !== 'settled') throw inProgress();
  const body = await execute(
    world.replay.operation,
    { id: '' },
    {
      // Who began the replay was allowed to.
      viewer: { ...viewer, permissions: { ...viewer.permissions, webhooks: 'write' } },
      read: world.read,
      transact: <T>() => Promise.resolve({ chainId: chain } as T),
      settled: () => Promise.resolve(end),
      counted,
      door: 'rest',
    },
  );
  world.replay.omit?.(body);
  const stored = await finishChain(call, claim, chain, { status: world.replay.status, body });
  if (!begunBy.equals(claim.fingerprint)) throw conflict();
  if (!stored) throw inProgress();
  call.answer = again(stored);
}

const lockTries = 40;
const lockPauseMs = 25;

/** Stores the outcome of a replay unless somebody has; undefined when the key is somebody else's. */
async function finishChain(
  call: Call,
  { account, key }: Claim,
  chain: string,
  response: { readonly status: number; readonly body?: unknown },
): Promise<Replayable | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call.world.transact(
        async (tx) => {
          const stored = await finish(tx, account, key, chain, response);
          if (stored) return stored;
          const state = await lookUp(tx, account, key);
          return state.kind === 'done' ? state.response : undefined;
        },
        { lock: keyLock(account, key) },
      );
    } catch (error) {
      // Others hold the lock only to look. Unfinished, the next request under the key finishes it.
      if (!(error instanceof LockTaken)) throw error;
      if (tries === lockTries) return undefined;
      await pause(lockPauseMs);
    }
  }
}

function storable({ answer, answered }: Call) {
  const { status, headers } = answer;
  const location = headers['Location'];
  return { status, body: answered, ...(location !== undefined && { location }) };
}

/** Whether the answer is a stored one: this request changed nothing. */
export function isReplayed({ headers }: Answer): boolean {
  return replayedHeader in headers;
}

function again({ status, body, location }: Replayable): Answer {
  const headers = {
    [replayedHeader]: 'true',
    ...(location !== null && { Location: location }),
  };
  return { status, text: body, headers };
}

function conflict(): Refused {
  const detail = 'This Idempotency-Key was already used with a different request.';
  return new Refused('idempotency_key_conflict', detail);
}

function inProgress(): Refused {
  const detail = 'The first request with this Idempotency-Key is still running.';
  return new Refused('idempotency_key_in_progress', detail, { headers: { 'Retry-After': '1' } });
}
