import { type NoticeClaim, NoticeClaimer } from '../src/domain/notice/claim.js';
import { hasUnsentNotices, recordNotice } from '../src/domain/notice/notices.js';
import { renderMail, type NoticeOutcome } from '../src/domain/notice/mail.js';
import { isLinkOpen } from '../src/domain/session/redeem-link.js';
import { CannotOpen } from '../src/domain/values/sealer.js';
import { isStillRelevant } from '../src/domain/offer/offers.js';
import type { Read, Transact } from '../src/domain/transaction/tx.js';
import type { Logger } from '../src/process/log.js';
import type { Mailer } from '../src/mail/mailer.js';
import type { WorkerMetrics } from './metrics.js';
import { delayUnlessStopped } from './clock.js';
import { LineLimit } from './delivery/attempt-reporter.js';

interface NoticeSenderOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly mailer: Mailer;
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
}

/** Timeout of one mail. */
export const mailTimeoutMs = 60_000;
/** Time to send a mail and to record it, with the database unreachable for a while. */
const leaseMs = mailTimeoutMs + 30_000;
const recordRetryMs = 500;
/** When the process stops, mails in flight have this long to end. */
const drainMs = 10_000;

const offerClosed = {
  kind: 'refused',
  reason: 'offer_closed',
  detail: 'the offer is no longer open',
} as const satisfies NoticeOutcome;

const linkClosed = {
  kind: 'refused',
  reason: 'link_closed',
  detail: 'the link was used or is too old',
} as const satisfies NoticeOutcome;

/**
 * Sends due notices, as many at a time as the mailer has slots: after a wake-up, and when the poller finds
 * some.
 *
 * - One mail lists all notices that are due for its recipient.
 * - Only the holder of a notice's lease records it.
 * - A notice that was not recorded is sent again, under the same Message-ID.
 * - A notice that is no longer relevant is not sent.
 */
export class NoticeSender {
  readonly #options: NoticeSenderOptions;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #claimer: NoticeClaimer;
  readonly #lines = new LineLimit();
  #pollRequested = false;
  #polling: Promise<void> | undefined;

  constructor(options: NoticeSenderOptions) {
    this.#options = options;
    this.#claimer = new NoticeClaimer(leaseMs, (error) => this.#logClaimFailure(error));
    options.log.info({ destination: options.mailer.destination }, 'sending notices');
  }

  /**
   * Claims due notices until none is left or every slot is taken; the end of a mail polls again. The first
   * claim begins after this call. Resolves when the mails are being sent. Never throws.
   */
  poll(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    this.#pollRequested = true;
    // A poll started without a free slot would end before it is stored.
    if (this.#freeSlots > 0) this.#polling ??= this.#poll();
    return this.#polling ?? Promise.resolve();
  }

  /** Stops claiming, and waits for the mails in flight; after 10 seconds it aborts them. */
  async stop(): Promise<void> {
    const { mailer } = this.#options;
    this.#stopping.abort();
    await this.#polling;
    const limit = setTimeout(() => this.#aborting.abort(new Error('stopping')), drainMs);
    await Promise.all(this.#inFlight);
    clearTimeout(limit);
    mailer.close();
  }

  get #freeSlots(): number {
    return this.#options.mailer.slots - this.#inFlight.size;
  }

  async #poll(): Promise<void> {
    const { read, transact } = this.#options;
    try {
      while (this.#pollRequested && this.#freeSlots > 0 && !this.#stopping.signal.aborted) {
        const freeSlots = this.#freeSlots;
        this.#pollRequested = false;
        if (!(await hasUnsentNotices(read))) continue;
        const startedAt = performance.now();
        const claims = await this.#claimer.claim(transact, freeSlots);
        for (const claim of claims) this.#start(claim, startedAt + leaseMs);
        this.#pollRequested ||= claims.length === freeSlots;
      }
    } catch (error) {
      this.#logClaimFailure(error);
    } finally {
      // In the event-loop turn of the last read of `pollRequested`, so that a later poll() starts a new loop.
      this.#polling = undefined;
    }
  }

  #logClaimFailure(error: unknown): void {
    this.#options.log.warn({ err: error }, 'could not claim notices');
  }

  #start(claim: NoticeClaim, until: number): void {
    const sent = this.#send(claim, until).finally(() => {
      this.#inFlight.delete(sent);
      if (this.#pollRequested) void this.poll();
    });
    this.#inFlight.add(sent);
  }

  async #send(claim: NoticeClaim, until: number): Promise<void> {
    const { log, metrics } = this.#options;
    const startedAt = performance.now();
    const outcome = (await this.#checkStillValid(claim)) ?? (await this.#sendMail(claim));
    const durationMs = performance.now() - startedAt;

    metrics.notices.inc({ outcome: outcome.kind }, claim.notices.length);

    const line = {
      ...logFields(claim),
      outcome: outcome.kind,
      reason: 'reason' in outcome ? outcome.reason : undefined,
      duration_ms: Math.round(durationMs),
    };

    if (!(await this.#record(claim, outcome, until))) log.warn(line, 'notice not recorded');
    else if (outcome.kind === 'sent') log.info(line, 'notice');
    else log.warn(line, 'notice');
  }

  /** Why the notice must not be sent now. @returns undefined if it may be sent */
  async #checkStillValid(claim: NoticeClaim): Promise<NoticeOutcome | undefined> {
    const { read, log } = this.#options;
    try {
      if (claim.kind === 'sign_in_link') {
        return (await isLinkOpen(read, claim.entries[0]?.resourceId ?? ''))
          ? undefined
          : linkClosed;
      }
      return (await isStillRelevant(read, claim)) ? undefined : offerClosed;
    } catch (error) {
      log.warn({ err: error, notice: claim.id }, 'could not check a notice');
      return { kind: 'failed', reason: 'database', detail: 'the database did not answer' };
    }
  }

  async #sendMail(claim: NoticeClaim): Promise<NoticeOutcome> {
    const { mailer, log, metrics, read } = this.#options;
    const { messageId, createdAt: date } = claim;
    try {
      const mail = { ...renderMail(claim, read.rules.sealer), messageId, date };
      return await mailer.send(mail, this.#aborting.signal);
    } catch (error) {
      if (error instanceof CannotOpen) return this.#cannotOpen(error.message);
      metrics.internalErrors.inc();
      log.error({ err: error, ...logFields(claim) }, 'could not render or send a notice');
      return { kind: 'failed', reason: 'internal_error', detail: 'an error of the service' };
    }
  }

  /** It is sent when the right key is back, unless its link has closed meanwhile. */
  #cannotOpen(reason: string): NoticeOutcome {
    const { log, metrics } = this.#options;
    const detail = `cannot open the link of a mail to sign in: ${reason}`;
    if (this.#lines.allows(detail)) {
      metrics.internalErrors.inc();
      log.error(detail);
    }
    return { kind: 'failed', reason: 'secret_key', detail };
  }

  /** Records the outcome, retrying until the lease ends. @returns false when it ended first */
  async #record(claim: NoticeClaim, outcome: NoticeOutcome, until: number): Promise<boolean> {
    const { read, log } = this.#options;
    do {
      try {
        return await recordNotice(read, claim, outcome);
      } catch (error) {
        log.warn({ err: error, notice: claim.id }, 'could not record a notice');
      }
    } while (
      performance.now() < until &&
      (await delayUnlessStopped(recordRetryMs, this.#aborting.signal))
    );
    return false;
  }
}

function logFields({ id, kind, accountId, entries, attempts }: NoticeClaim) {
  const resource = entries[0]?.resourceId;
  const account = accountId;
  const attempt = attempts + 1;
  return { notice: id, notices: entries.length, kind, account, resource, attempt };
}
