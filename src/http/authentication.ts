// Who sends a request: the kinds of credential that an operation accepts, and the holder of a token.
//
// A viewer is kept for at most a second, and dropped when PostgreSQL reports a change, so a revoked credential
// ends within a second in every process (contract H125). Look-ups of unknown tokens are few at a time, and limited
// by address, so that guessing takes no connection from known callers. All of this is memory of one process: a
// crash loses nothing but counts.
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyedSemaphore } from '../database/limits.js';
import {
  authenticate,
  type Authenticated,
  type AuthFailure,
  type Viewer,
  type CredentialError,
  credentialDetail,
} from '../domain/account/credentials.js';
import { hashToken, refusalByFormat, parseBearer } from '../domain/account/token.js';
import { Lru } from '../domain/lru.js';
import { findPortalSession } from '../domain/portal/portal-sessions.js';
import { findOperatorSession } from '../domain/session/operator-sessions.js';
import { findSession, refuseSessionFormat } from '../domain/session/sessions.js';
import type { Read } from '../domain/transaction/tx.js';
import { subnetOf } from './client-address.js';
import { headerValues } from './headers.js';
import { ApiError } from './problems.js';

interface Dependencies {
  readonly read: Read;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
}

/** A request and the address of its client, as the trusted proxies report it. */
interface AddressedRequest {
  readonly request: IncomingMessage;
  readonly address: string;
}

/**
 * Authenticates a request.
 * @param accepted the kinds of credential that the operation accepts
 * @throws ApiError unauthorized, rate_limit_exceeded
 */
export async function authenticateRequest(
  { read, authenticator }: Dependencies,
  { request, address }: AddressedRequest,
  accepted: readonly string[],
): Promise<Viewer> {
  const bearer = parseBearer(headerValues(request, 'authorization'));
  if ('error' in bearer) {
    const code = bearer.error === 'missing' ? 'missing_credential' : 'invalid_credential';
    const detail =
      bearer.error === 'repeated' ? 'The Authorization header must be sent once.' : undefined;
    throw unauthorized(code, accepted, detail);
  }

  const viewer = await authenticator.authenticate(read, address, bearer.token);
  if (typeof viewer === 'string') throw unauthorized(viewer, accepted);
  if (!accepted.includes(viewer.kind)) throw unauthorized('credential_kind_not_accepted', accepted);

  return viewer;
}

const internalKinds = ['internal', 'dashboard'];

/**
 * Authenticates a request to the internal listener, whose clients connect without a trusted proxy.
 * @throws ApiError unauthorized, rate_limit_exceeded
 */
export function authenticateInternal(
  dependencies: Dependencies,
  request: IncomingMessage,
): Promise<Viewer> {
  const address = request.socket.remoteAddress ?? '';
  return authenticateRequest(dependencies, { request, address }, internalKinds);
}

function unauthorized(
  code: CredentialError,
  accepted: readonly string[],
  detail = credentialDetail(code, acceptedText(accepted)),
): ApiError {
  const realm = accepted.includes('internal') ? 'internal' : 'api';
  const challenge = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return new ApiError('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': `Bearer realm="${realm}"${challenge}` },
  });
}

function acceptedText(accepted: readonly string[]): string {
  if (accepted.includes('internal')) {
    return 'This operation accepts internal credentials and dashboard tokens.';
  }
  return accepted.includes('dashboard')
    ? 'This operation accepts live API keys and dashboard tokens only.'
    : 'This operation accepts live API keys only.';
}

/** How tokens of one kind are looked up. */
interface TokenLookUp {
  /**
   * @param hash that of `token`
   * @param isUse whether the look-up counts as use of what the token opens
   */
  readonly find: (
    read: Read,
    token: string,
    hash: Buffer,
    isUse: boolean,
  ) => Promise<Authenticated | AuthFailure>;
  /** Why a token is refused without a look-up; undefined when it needs one. */
  readonly refuseFormat: (token: string) => AuthFailure | undefined;
}

interface AuthenticatorOptions {
  /** Requests per minute of one account. The limit of failed look-ups per address derives from it. */
  readonly perMinute: number;
  /**
   * Waits for one of the few slots for look-ups of unknown tokens.
   * @returns releases the slot
   */
  readonly acquireSlot: () => Promise<() => void>;
  /** Defaults to bearer tokens. */
  readonly lookUp?: TokenLookUp;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Failed look-ups that one address may cause at once, as a share of an account's requests per minute. */
const burstShare = 0.1;
const maxWaitMs = 1_000;
/** The contract promises that no process keeps a viewer for longer. */
const viewerTtlMs = 1_000;
/** Later requests do not wait behind a look-up whose connection hangs. */
const sharedForMs = 100;
const knownTtlMs = 24 * 3_600_000;
const refusedTtlMs = 60_000;
const maxKnown = 20_000;
const maxRefused = 10_000;

/** The result of a look-up. */
interface CachedViewer {
  readonly viewer: Viewer;
  /** Until then the viewer needs no look-up, unless {@link Authenticator.invalidate} is called. */
  readonly freshUntil: number;
  readonly generation: number;
  /** Whether the look-up counted as use. One that did not serves no request that does. */
  readonly isUse: boolean;
}

/** A look-up in progress. */
interface PendingLookUp {
  readonly generation: number;
  readonly isUse: boolean;
  /** Other requests with the token may share it until then. */
  readonly sharedUntil: number;
  readonly result: Promise<Viewer | AuthFailure>;
}

/**
 * Finds the holder of a token:
 * - A viewer is kept for at most a second, and never past the token's expiry.
 * - A token found valid within a day is then looked up without limit.
 * - An unknown token waits for one of a few slots. An address with too many failed look-ups is
 *   limited to a rate.
 * - A token refused within the last minute is not looked up.
 */
export class Authenticator {
  readonly #acquireSlot: AuthenticatorOptions['acquireSlot'];
  readonly #tokens: TokenLookUp;
  readonly #limit: FailedAuthLimiter;
  readonly #known: TokenCache<CachedViewer>;
  readonly #refused: TokenCache<AuthFailure>;
  /** Requests with the same token share a look-up. */
  readonly #inFlight = new Map<string, PendingLookUp>();
  readonly #now: () => number;
  /** Look-ups that began in an earlier generation may have read what has changed since. */
  #generation = 0;

  constructor({
    perMinute,
    acquireSlot,
    lookUp = { find: authenticate, refuseFormat: refusalByFormat },
    ...clock
  }: AuthenticatorOptions) {
    const burst = Math.max(1, Math.round(perMinute * burstShare));
    this.#acquireSlot = acquireSlot;
    this.#tokens = lookUp;
    this.#now = clock.now ?? (() => performance.now());
    this.#limit = new FailedAuthLimiter({ burst, perMinute, maxWaitMs, ...clock });
    this.#known = new TokenCache({ ttlMs: knownTtlMs, maxEntries: maxKnown, ...clock });
    this.#refused = new TokenCache({ ttlMs: refusedTtlMs, maxEntries: maxRefused, ...clock });
  }

  /**
   * @param address of the client
   * @param isUse whether the request counts as use of a session; not so the recheck of an open stream
   * @throws ApiError rate_limit_exceeded
   * @throws SemaphoreRejected when no slot becomes free in time
   */
  async authenticate(
    read: Read,
    address: string,
    token: string,
    isUse = true,
  ): Promise<Viewer | AuthFailure> {
    const malformed = this.#tokens.refuseFormat(token);
    if (malformed !== undefined) return malformed;

    const hash = hashToken(token);
    const key = hash.toString('latin1');
    const now = this.#now();
    const generation = this.#generation;
    const known = this.#known.get(key);
    const serves = (earlier: CachedViewer | PendingLookUp | undefined) =>
      earlier?.generation === generation && (earlier.isUse || !isUse);
    if (known && serves(known) && now < known.freshUntil) return known.viewer;

    const refused = this.#refused.get(key);
    if (refused !== undefined) return refused;

    const shared = this.#inFlight.get(key);
    if (shared && serves(shared) && now < shared.sharedUntil) return shared.result;

    const lookUp = () => this.#lookUp(read, key, token, hash, isUse);
    const current: PendingLookUp = {
      generation,
      isUse,
      sharedUntil: known ? now + sharedForMs : Infinity,
      result: known ? lookUp() : this.#lookUpWithinLimit(subnetOf(address), lookUp),
    };

    this.#inFlight.set(key, current);

    try {
      return await current.result;
    } finally {
      if (this.#inFlight.get(key) === current) this.#inFlight.delete(key);
    }
  }

  /** Drops every viewer that it keeps: a credential or a role has changed. */
  invalidate(): void {
    this.#generation += 1;
  }

  async #lookUp(
    read: Read,
    key: string,
    token: string,
    hash: Buffer,
    isUse: boolean,
  ): Promise<Viewer | AuthFailure> {
    // PostgreSQL reads the row later, so the viewer is dropped too early rather than too late.
    const startedAt = this.#now();
    const generation = this.#generation;
    const result = await this.#tokens.find(read, token, hash, isUse);
    if (typeof result === 'string') {
      this.#known.delete(key);
      this.#refused.set(key, result);
      return result;
    }

    const { viewer, validForMs } = result;
    const freshUntil = startedAt + Math.min(viewerTtlMs, validForMs);
    this.#known.set(key, { viewer, freshUntil, generation, isUse });

    return viewer;
  }

  async #lookUpWithinLimit(
    address: string,
    lookUp: () => Promise<Viewer | AuthFailure>,
  ): Promise<Viewer | AuthFailure> {
    for (;;) {
      const counted = await this.#limit.admit(address).catch(refuseLookup);
      const end = await this.#acquireSlot();
      try {
        // Other look-ups of this address may have failed while this one waited for its slot.
        if (!counted && this.#limit.isFull(address)) continue;
        const result = await lookUp();
        if (typeof result === 'string' && !counted) this.#limit.count(address);
        if (typeof result !== 'string' && counted) this.#limit.uncount(address);
        return result;
      } finally {
        end();
      }
    }
  }
}

/** Sends no rate-limit headers: they state the quota of an account, and here no account is known. */
function refuseLookup(error: unknown): never {
  if (!(error instanceof FailedAuthLimitExceeded)) throw error;
  const detail = 'Too many invalid credentials from this address. Retry later.';
  throw new ApiError('rate_limit_exceeded', detail, {
    retryAfterSeconds: error.retryAfterSeconds,
  });
}

/** Limits look-ups of unknown tokens, so that they cannot take the connections that known tokens need. */
const unknownTokenLimits = { maxConcurrent: 2, waiting: 1_000, maxWaitMs: 1_000 };

/**
 * Creates the {@link Authenticator} that both listeners of a process share.
 * @param lookUp defaults to bearer tokens
 */
export function createAuthenticator(perMinute: number, lookUp?: TokenLookUp): Authenticator {
  const unknownTokens = new KeyedSemaphore(unknownTokenLimits);
  return new Authenticator({
    perMinute,
    ...(lookUp && { lookUp }),
    acquireSlot: () => unknownTokens.acquire('unknown tokens'),
  });
}

/**
 * Creates the authenticators of bearer tokens and of the sessions of members, portals and operators. Each
 * accepts only its own tokens.
 */
export function createAuthenticators(perMinute: number) {
  const ofSessions = (find: TokenLookUp['find']) =>
    createAuthenticator(perMinute, { find, refuseFormat: refuseSessionFormat });

  const authenticator = createAuthenticator(perMinute);
  const sessions = ofSessions(findSession);
  const portalSessions = ofSessions(findPortalSession);
  const operatorSessions = ofSessions(findOperatorSession);

  return {
    authenticator,
    sessions,
    portalSessions,
    operatorSessions,
    /** Drops every cached viewer. */
    invalidateAll: () => {
      authenticator.invalidate();
      sessions.invalidate();
      portalSessions.invalidate();
      operatorSessions.invalidate();
    },
  };
}

interface TokenCacheOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
}

/** What recent look-ups found, by token hash. When full, it drops the entry used longest ago. */
export class TokenCache<Value> {
  readonly #entries: Lru<{ readonly value: Value; readonly until: number }>;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor({ ttlMs, maxEntries, now }: TokenCacheOptions) {
    this.#entries = new Lru(maxEntries);
    this.#ttlMs = ttlMs;
    this.#now = now ?? (() => performance.now());
  }

  get(hash: string): Value | undefined {
    const entry = this.#entries.get(hash);
    return entry !== undefined && this.#now() < entry.until ? entry.value : undefined;
  }

  set(hash: string, value: Value): void {
    this.#entries.set(hash, { value, until: this.#now() + this.#ttlMs });
  }

  delete(hash: string): void {
    this.#entries.delete(hash);
  }
}

interface FailedAuthLimiterOptions {
  /** Failed look-ups that one address may cause at once. */
  readonly burst: number;
  /** Failed look-ups per minute beyond the burst. */
  readonly perMinute: number;
  /** Longest wait of one look-up, in milliseconds. */
  readonly maxWaitMs: number;
  /** Monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Too many look-ups wait already, or this address would wait too long. */
class FailedAuthLimitExceeded extends Error {
  override readonly name = 'FailedAuthLimitExceeded';

  constructor(readonly retryAfterSeconds: number) {
    super('too many failed look-ups');
  }
}

const maxAddresses = 10_000;
const maxWaiting = 1_000;

/**
 * Limits failed look-ups per address with a leaky bucket (GCRA) in the memory of this process. Only
 * look-ups that find nothing count. While a bucket is full, each look-up takes the next slot in
 * time, so waiting ones run in order of arrival.
 */
class FailedAuthLimiter {
  readonly #intervalMs: number;
  readonly #fullMs: number;
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** When the bucket of an address will be empty. */
  readonly #emptyAt = new Lru<number>(maxAddresses);
  #waiting = 0;

  constructor({ burst, perMinute, maxWaitMs, now, wait }: FailedAuthLimiterOptions) {
    this.#intervalMs = 60_000 / perMinute;
    this.#fullMs = (burst - 1) * this.#intervalMs;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now ?? (() => performance.now());
    this.#wait = wait ?? ((ms) => pause(ms));
  }

  /**
   * Waits until a look-up for `address` may begin.
   * @returns whether it is already counted; {@link uncount} takes that back
   * @throws FailedAuthLimitExceeded when it would wait too long
   */
  async admit(address: string): Promise<boolean> {
    const waitMs = this.#overfullMs(address);
    if (waitMs <= 0) return false;
    if (waitMs > this.#maxWaitMs || this.#waiting >= maxWaiting) {
      throw new FailedAuthLimitExceeded(Math.max(1, Math.ceil((waitMs - this.#maxWaitMs) / 1_000)));
    }
    this.count(address);
    this.#waiting += 1;
    await this.#wait(waitMs).finally(() => (this.#waiting -= 1));
    return true;
  }

  /** Whether the next look-up for `address` must wait. */
  isFull(address: string): boolean {
    return this.#overfullMs(address) > 0;
  }

  /** Counts a look-up that found nothing. */
  count(address: string): void {
    const now = this.#now();
    this.#set(address, Math.max(now, this.#emptyAt.get(address) ?? now) + this.#intervalMs);
  }

  /** Takes back one count, because the look-up succeeded. */
  uncount(address: string): void {
    const emptyAt = this.#emptyAt.get(address);
    if (emptyAt !== undefined) this.#set(address, emptyAt - this.#intervalMs);
  }

  #overfullMs(address: string): number {
    const emptyAt = this.#emptyAt.get(address);
    return emptyAt === undefined ? 0 : emptyAt - this.#now() - this.#fullMs;
  }

  #set(address: string, emptyAt: number): void {
    this.#emptyAt.delete(address);
    if (emptyAt > this.#now()) this.#emptyAt.set(address, emptyAt);
  }
}
