// Makes one attempt: signs the event with every valid secret and private key of the endpoint, posts it with the
// endpoint's static headers, and returns the ended attempt, which has none of these.
//
// Opened secrets, keys and headers are cached. Evidence keeps responses only within a budget per endpoint and hour. A
// crash loses the cache and the counts of the budget, nothing else.
import { KeyObject } from 'node:crypto';
import {
  buildRequest,
  type DeliveryRequest,
  endAttempt,
  type EndedAttempt,
  startAttempt,
  type StartedAttempt,
} from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import { followsFailure, type Header } from '../../src/domain/delivery/evidence.js';
import type { PostResult } from '../../src/domain/delivery/outcome.js';
import { headersFor, parseHeaders } from '../../src/domain/endpoint/headers.js';
import { parsePrivateKey } from '../../src/domain/endpoint/key-pairs.js';
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
  readonly secrets: Pick<SecretCache, 'of' | 'privateKeysOf' | 'headersOf'>;
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
    const opened = {
      signing: secrets.of(claim),
      privateKeys: secrets.privateKeysOf(claim),
      headers: secrets.headersOf(claim),
    };
    const request = buildRequest(started, opened, sender);
    const { url, headers, staticHeaders, body } = request;
    const { accountId: account, endpointId } = claim;
    const { startedAt: at } = started;

    const { traceparent } = claim.event;
    const traced = tracing && traceparent !== undefined && isSampled(traceparent);
    const keptSuccess = followsFailure(claim);
    const trace = {
      successes: keptSuccess || traced,
      responses: keepResponses && responseBudget.allows(endpointId, at),
    };

    const sent = staticHeaders ? { ...headers, ...Object.fromEntries(staticHeaders) } : headers;
    const attempt = await webhookClient.post(url, sent, body, {
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

/** No signing secret, no private key, or not the headers of an endpoint open, so no request can be made as its account wants it. */
export class NoSecretOpens extends Error {
  override readonly name = 'NoSecretOpens';
}

interface SecretCacheOptions {
  readonly sealer: Pick<Sealer, 'tryOpen'>;
  /** Called with the reason at each attempt that lacks a secret, a private key or its headers. */
  readonly onMissing: (claim: Claim, reason: string) => void;
}

/** The sealed bytes of a signing secret. */
const bytesOfSecret = 100;

/** Of an endpoint without private keys. */
const noKeys: readonly KeyObject[] = [];

/**
 * Opens the secrets, private keys and headers of claims, and caches those used last by endpoint and sealed bytes: 10,000
 * secrets, or as many bytes of keys and headers. Parsing a key costs half of a signature. Each claim brings what is valid
 * at that moment, so nothing that was removed is used.
 */
export class SecretCache {
  readonly #options: SecretCacheOptions;
  /** Includes secrets that cannot be opened: the key ring stays as it is while the process runs. */
  readonly #cache = new Lru<string | KeyObject | UnopenableSecret>(10_000);

  constructor(options: SecretCacheOptions) {
    this.#options = options;
  }

  /** Returns the secrets of a claim that open, newest first. @throws NoSecretOpens */
  of(claim: Claim): string[] {
    const { onMissing } = this.#options;
    const opened: string[] = [];
    for (const sealed of claim.secrets) {
      const secret = this.#open(sealed, claim.endpointId, asText);
      if (typeof secret === 'string') opened.push(secret);
      else
        onMissing(claim, `cannot open the signing secret of ${claim.endpointId}: ${secret.reason}`);
    }

    if (opened.length > 0) return opened;

    if (claim.secrets.length === 0) onMissing(claim, `${claim.endpointId} has no signing secret`);
    throw new NoSecretOpens(`no signing secret of ${claim.endpointId} opens`);
  }

  /** Returns the private keys of a claim that open, newest first; none if it has none. @throws NoSecretOpens */
  privateKeysOf(claim: Claim): readonly KeyObject[] {
    const { privateKeys, endpointId } = claim;
    if (privateKeys.length === 0) return noKeys;

    const opened: KeyObject[] = [];
    for (const sealed of privateKeys) {
      const key = this.#open(sealed, endpointId, parsePrivateKey);
      if (key instanceof KeyObject) opened.push(key);
      else
        this.#options.onMissing(
          claim,
          `cannot open the private key of ${endpointId}: ${key.reason}`,
        );
    }

    if (opened.length > 0) return opened;
    throw new NoSecretOpens(`no private key of ${endpointId} opens`);
  }

  /** Returns the static headers of a claim for its URL; undefined if it has none. @throws NoSecretOpens */
  headersOf(claim: Claim): readonly Header[] | undefined {
    const { headers, endpointId, url } = claim;
    if (headers === null) return undefined;

    const opened = this.#open(headers, endpointId, asText);
    if (typeof opened === 'string') return headersFor(parseHeaders(opened), url);

    const reason = `cannot open the headers of ${endpointId}: ${opened.reason}`;
    this.#options.onMissing(claim, reason);
    throw new NoSecretOpens(reason);
  }

  /** @param parse the same for all calls with this secret */
  #open<Secret extends string | KeyObject>(
    sealed: SealedSecret,
    endpointId: string,
    parse: (text: string) => Secret,
  ): Secret | UnopenableSecret {
    const key = endpointId + sealed.sealed.toString('latin1');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached as Secret | UnopenableSecret;

    const opened = this.#options.sealer.tryOpen(sealed, endpointId);
    const secret = opened instanceof CannotOpen ? { reason: opened.message } : parse(opened);
    this.#cache.set(key, secret, Math.ceil(sealed.sealed.length / bytesOfSecret));
    return secret;
  }
}

function asText(opened: string): string {
  return opened;
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
