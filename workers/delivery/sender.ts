// Makes one attempt: signs the event with every valid secret of the endpoint, posts it, and returns the ended
// attempt.
//
// Opened secrets are cached. Evidence keeps responses only within a budget per endpoint and hour. A crash loses
// the cache and the counts of the budget, nothing else.
import {
  buildRequest,
  type DeliveryRequest,
  endAttempt,
  type EndedAttempt,
  startAttempt,
  type StartedAttempt,
} from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import { followsFailure } from '../../src/domain/delivery/evidence.js';
import type { PostResult } from '../../src/domain/delivery/outcome.js';
import { Lru } from '../../src/domain/lru.js';
import { CannotOpen, type SealedSecret, type Sealer } from '../../src/domain/values/sealer.js';
import type { WebhookClient } from '../../src/outbound/post.js';
import { isSampled } from '../../src/process/tracing.js';

/**
 * Makes one attempt; `elapsedMs` milliseconds have passed since the claim came back. A gate holds the request until
 * its send time.
 */
export type SendAttempt = (
  claim: Claim,
  elapsedMs: number,
  signal: AbortSignal,
  gate?: () => Promise<void>,
) => Promise<EndedAttempt>;

interface AttemptOptions {
  readonly webhookClient: Pick<WebhookClient, 'post'>;
  readonly secrets: Pick<SecretCache, 'of'>;
  readonly contentType: 'application/json' | 'application/cloudevents+json';
  /** Whether evidence has headers and body of the response. */
  readonly keepResponses: boolean;
  /** Shared by all lanes of a process. Defaults to a new one. */
  readonly responseBudget?: ResponseBudget;
  /** Whether spans of attempts are recorded. Defaults to false. */
  readonly tracing?: boolean;
  /** The lane of the claims. Defaults to `live`. */
  readonly lane?: Lane;
}

const userAgent = 'Service-Webhooks/1.0';

/**
 * Signs and posts the event of a claim. The ended attempt holds no event bytes.
 * @throws NoSecretOpens; Error when `signal` aborts, or the gate throws
 */
export function createAttemptSender(options: AttemptOptions): SendAttempt {
  const { webhookClient, secrets, keepResponses, lane, tracing = false } = options;
  const { responseBudget = new ResponseBudget() } = options;
  const contentType =
    options.contentType === 'application/json'
      ? 'application/json; charset=utf-8'
      : options.contentType;

  const sender = { contentType, userAgent };
  return async (claim, elapsedMs, signal, gate) => {
    const started = startAttempt(claim, elapsedMs);
    const request = buildRequest(started, secrets.of(claim), sender);
    const { url, headers, body } = request;
    const { accountId: account, endpointId } = claim;
    const { startedAt: at } = started;

    const { traceparent } = claim.event;
    const traced = tracing && traceparent !== undefined && isSampled(traceparent);
    const keptSuccess = followsFailure(claim);
    const trace = {
      successes: keptSuccess || traced,
      responses: keepResponses && responseBudget.allows(endpointId, at),
    };

    const attempt = await webhookClient.post(url, headers, body, {
      account,
      signal,
      at,
      trace,
      gate,
    });

    const ended = traced
      ? endTracedAttempt(started, request, attempt, keptSuccess)
      : endAttempt(started, request, attempt);
    if (ended.evidence?.responseHeaders) responseBudget.count(endpointId, at);

    return lane === 'recovery' ? { ...ended, recovered: true } : ended;
  };
}

/** Ends an attempt with the times of its spans. Tracing does not change the evidence. */
function endTracedAttempt(
  started: StartedAttempt,
  request: DeliveryRequest,
  { trace, ...attempt }: PostResult,
  keptSuccess: boolean,
): EndedAttempt {
  const isKept = keptSuccess || attempt.outcome.kind !== 'accepted' || trace?.bodyLeftOpen === true;
  const ended = endAttempt(started, request, isKept && trace ? { ...attempt, trace } : attempt);
  const { timings, sendMs = null } = trace ?? {};
  return { ...ended, traced: { endedAt: performance.now(), timings, sendMs } };
}

/** A secret that does not open, and why. Without the error, whose stack would fill the cache. */
interface UnopenableSecret {
  readonly reason: string;
}

/** No secret of an endpoint opens, so nothing can be signed for it. */
export class NoSecretOpens extends Error {
  override readonly name = 'NoSecretOpens';
}

interface SecretCacheOptions {
  readonly sealer: Pick<Sealer, 'tryOpen'>;
  /** Called with the reason at each attempt that lacks a secret. */
  readonly onMissing: (claim: Claim, reason: string) => void;
}

/**
 * Opens the secrets of claims and caches the 10,000 used last by endpoint and sealed bytes. Each claim brings
 * the secrets that sign at that moment, so a cached secret that was removed is never used.
 */
export class SecretCache {
  readonly #options: SecretCacheOptions;
  /** Includes secrets that cannot be opened: the key ring stays as it is while the process runs. */
  readonly #cache = new Lru<string | UnopenableSecret>(10_000);

  constructor(options: SecretCacheOptions) {
    this.#options = options;
  }

  /** Returns the secrets of a claim that open, newest first. @throws NoSecretOpens */
  of(claim: Claim): string[] {
    const { onMissing } = this.#options;
    const opened: string[] = [];
    for (const sealed of claim.secrets) {
      const secret = this.#open(sealed, claim.endpointId);
      if (typeof secret === 'string') opened.push(secret);
      else
        onMissing(claim, `cannot open the signing secret of ${claim.endpointId}: ${secret.reason}`);
    }

    if (opened.length > 0) return opened;

    if (claim.secrets.length === 0) onMissing(claim, `${claim.endpointId} has no signing secret`);
    throw new NoSecretOpens(`no signing secret of ${claim.endpointId} opens`);
  }

  #open(sealed: SealedSecret, endpointId: string): string | UnopenableSecret {
    const key = endpointId + sealed.sealed.toString('latin1');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;

    const opened = this.#options.sealer.tryOpen(sealed, endpointId);
    const secret = opened instanceof CannotOpen ? { reason: opened.message } : opened;
    this.#cache.set(key, secret);
    return secret;
  }
}

/** Responses kept of an endpoint in an hour. With 4 KiB of headers and 4 KiB of body each, these are at most 800 KiB. */
const maxPerHour = 100;
/** Endpoints that are counted; the one that failed longest ago is forgotten first. */
const maxEndpoints = 10_000;
const hourMs = 3_600_000;

/**
 * Counts the responses that evidence keeps of each endpoint in an hour. A receiver that refuses a long
 * backlog would otherwise fill the disk with the same answer.
 */
export class ResponseBudget {
  readonly #counts = new Lru<{ readonly hour: number; readonly kept: number }>(maxEndpoints);

  /** Whether evidence of an attempt that began `at` this time may keep the response. */
  allows(endpointId: string, at: Date): boolean {
    return this.#keptIn(endpointId, hourOf(at)) < maxPerHour;
  }

  /** Counts a response that is kept. */
  count(endpointId: string, at: Date): void {
    const hour = hourOf(at);
    this.#counts.set(endpointId, { hour, kept: this.#keptIn(endpointId, hour) + 1 });
  }

  #keptIn(endpointId: string, hour: number): number {
    const count = this.#counts.get(endpointId);
    return count?.hour === hour ? count.kept : 0;
  }
}

function hourOf(at: Date): number {
  return Math.floor(at.getTime() / hourMs);
}
