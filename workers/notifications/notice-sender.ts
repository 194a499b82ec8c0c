import { type NoticeClaim, NoticeClaimer } from '../../src/domain/notice/claim.js';
import { renderMail } from '../../src/domain/notice/mail-templates.js';
import type { NoticeOutcome } from '../../src/domain/notice/outcome.js';
import { recordNotice } from '../../src/domain/notice/record-notice.js';
import { isStillRelevant } from '../../src/domain/offer/still-relevant.js';
import type { Read, Transact } from '../../src/domain/tx.js';
import type { Logger } from '../../src/process/log.js';
import type { Mailer } from '../../src/mail/mailer.js';
import type { WorkerMetrics } from '../process/metrics.js';
import { jittered, delayUnlessStopped } from '../process/jitter.js';

/** What {@link NoticeSender} works with. */
export interface NoticeSenderOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly mailer: Mailer;
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
}

const everyMs = 1_000;
/** How long one mail may take. */
export const mailTimeoutMs = 60_000;
/** Time to send a mail and to record that, with the database away for a while. */
const leaseMs = mailTimeoutMs + 30_000;
const recordRetryMs = 500;
/** Mails under way get this long when the process stops. */
const drainMs = 10_000;

const offerClosed = {
  kind: 'refused',
  reason: 'offer_closed',
  detail: 'the offer is no longer open',
} as const satisfies NoticeOutcome;

/**
 * Sends the notices that are due, as many at a time as the mailer has slots (H73): when it is woken,
 * and about once a second by a timer of its own. One mail names all that its recipient is told at the
 * moment. Each is settled by the holder of its lease alone;
 * what nobody settled is sent again, under the same Message-ID. What is true no longer is not sent.
 */
export class NoticeSender {
  readonly #options: NoticeSenderOptions;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #claimer: NoticeClaimer;
  readonly #running: Promise<void>;
  #pollRequested = false;
  #polling: Promise<void> | undefined;

  constructor(options: NoticeSenderOptions) {
    this.#options = options;
    this.#claimer = new NoticeClaimer(leaseMs, (error) => this.#logClaimFailure(error));
    options.log.info({ destination: options.mailer.destination }, 'notices are sent');
    this.#running = this.#run();
  }

  /**
   * Looks for notices that are due, beginning after this call, until none is left or every slot is
   * taken; the end of a mail looks again. Resolves when they are on their way. Never throws.
   */
  poll(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    this.#pollRequested = true;
    // Begun without a free slot it would end before it is remembered.
    if (this.#freeSlots > 0) this.#polling ??= this.#poll();
    return this.#polling ?? Promise.resolve();
  }

  /** Ends the timer, claims no more and waits for the mails under way; after 10 seconds it breaks them off. */
  async stop(): Promise<void> {
    const { mailer } = this.#options;
    this.#stopping.abort();
    await Promise.all([this.#running, this.#polling]);
    const limit = setTimeout(() => this.#aborting.abort(new Error('stopping')), drainMs);
    await Promise.all(this.#inFlight);
    clearTimeout(limit);
    mailer.close();
  }

  get #freeSlots(): number {
    return this.#options.mailer.slots - this.#inFlight.size;
  }

  async #run(): Promise<void> {
    while (await delayUnlessStopped(jittered(everyMs), this.#stopping.signal)) await this.poll();
  }

  async #poll(): Promise<void> {
    const { transact } = this.#options;
    try {
      while (this.#pollRequested && this.#freeSlots > 0 && !this.#stopping.signal.aborted) {
        const freeSlots = this.#freeSlots;
        this.#pollRequested = false;
        const startedAt = performance.now();
        const claims = await this.#claimer.claim(transact, freeSlots);
        for (const claim of claims) this.#start(claim, startedAt + leaseMs);
        this.#pollRequested ||= claims.length === freeSlots;
      }
    } catch (error) {
      this.#logClaimFailure(error);
    } finally {
      // In the same turn as the last read of `pollRequested`, so that a later one begins another loop.
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

  /** What keeps a notice from being sent at this moment; undefined when nothing does. */
  async #checkStillValid(claim: NoticeClaim): Promise<NoticeOutcome | undefined> {
    const { read, log } = this.#options;
    try {
      return (await isStillRelevant(read, claim)) ? undefined : offerClosed;
    } catch (error) {
      log.warn({ err: error, notice: claim.id }, 'could not check a notice');
      return { kind: 'failed', reason: 'database', detail: 'the database did not answer' };
    }
  }

  async #sendMail(claim: NoticeClaim): Promise<NoticeOutcome> {
    const { mailer, log, metrics } = this.#options;
    const { messageId, createdAt: date } = claim;
    try {
      const mail = { ...renderMail(claim), messageId, date };
      return await mailer.send(mail, this.#aborting.signal);
    } catch (error) {
      metrics.internalErrors.inc();
      log.error({ err: error, ...logFields(claim) }, 'could not write a notice');
      return { kind: 'failed', reason: 'fault', detail: 'an error of the service' };
    }
  }

  /** Records it as soon as the database lets it. @returns false when the lease ended before */
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
  const resourceId = entries[0]?.resourceId;
  const [account, sendMail] = [accountId, attempts + 1];
  return { notice: id, notices: entries.length, kind, account, resourceId, sendMail };
}
