import { type NoticeClaim, NoticeClaimer } from '../src/domain/notice/claim.js';
import { messageOf } from '../src/domain/notice/messages.js';
import type { NoticeOutcome } from '../src/domain/notice/outcome.js';
import { settleNotice } from '../src/domain/notice/settle.js';
import { isStillTrue } from '../src/domain/notice/still-true.js';
import type { Read, Transact } from '../src/domain/tx.js';
import type { Logger } from '../src/log.js';
import type { Mailer } from '../src/mail/mailer.js';
import type { WorkerMetrics } from './metrics.js';
import { jittered, passed } from './rounds.js';

/** What {@link Notices} works with. */
export interface NoticesOptions {
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
const settleAgainMs = 500;
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
export class Notices {
  readonly #options: NoticesOptions;
  readonly #stopping = new AbortController();
  readonly #breaking = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #claimer: NoticeClaimer;
  readonly #running: Promise<void>;
  #asked = false;
  #looking: Promise<void> | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
    this.#claimer = new NoticeClaimer(leaseMs, (error) => this.#couldNotClaim(error));
    options.log.info({ destination: options.mailer.destination }, 'notices are sent');
    this.#running = this.#run();
  }

  /**
   * Looks for notices that are due, beginning after this call, until none is left or every slot is
   * taken; the end of a mail looks again. Resolves when they are on their way. Never throws.
   */
  look(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    this.#asked = true;
    // Begun without a free slot it would end before it is remembered.
    if (this.#free > 0) this.#looking ??= this.#look();
    return this.#looking ?? Promise.resolve();
  }

  /** Ends the timer, claims no more and waits for the mails under way; after 10 seconds it breaks them off. */
  async stop(): Promise<void> {
    const { mailer } = this.#options;
    this.#stopping.abort();
    await Promise.all([this.#running, this.#looking]);
    const limit = setTimeout(() => this.#breaking.abort(new Error('stopping')), drainMs);
    await Promise.all(this.#underWay);
    clearTimeout(limit);
    mailer.close();
  }

  get #free(): number {
    return this.#options.mailer.slots - this.#underWay.size;
  }

  async #run(): Promise<void> {
    while (await passed(jittered(everyMs), this.#stopping.signal)) await this.look();
  }

  async #look(): Promise<void> {
    const { transact } = this.#options;
    try {
      while (this.#asked && this.#free > 0 && !this.#stopping.signal.aborted) {
        const free = this.#free;
        this.#asked = false;
        const begunAt = performance.now();
        const claims = await this.#claimer.claim(transact, free);
        for (const claim of claims) this.#begin(claim, begunAt + leaseMs);
        this.#asked ||= claims.length === free;
      }
    } catch (error) {
      this.#couldNotClaim(error);
    } finally {
      // In the same turn as the last look at `asked`, so that a later one begins another loop.
      this.#looking = undefined;
    }
  }

  #couldNotClaim(error: unknown): void {
    this.#options.log.warn({ err: error }, 'could not claim notices');
  }

  #begin(claim: NoticeClaim, until: number): void {
    const sent = this.#send(claim, until).finally(() => {
      this.#underWay.delete(sent);
      if (this.#asked) void this.look();
    });
    this.#underWay.add(sent);
  }

  async #send(claim: NoticeClaim, until: number): Promise<void> {
    const { log, metrics } = this.#options;
    const begunAt = performance.now();
    const outcome = (await this.#judge(claim)) ?? (await this.#attempt(claim));
    const durationMs = performance.now() - begunAt;
    metrics.notices.inc({ outcome: outcome.kind }, claim.notices.length);
    const line = {
      ...namesOf(claim),
      outcome: outcome.kind,
      reason: 'reason' in outcome ? outcome.reason : undefined,
      duration_ms: Math.round(durationMs),
    };
    if (!(await this.#settle(claim, outcome, until))) log.warn(line, 'notice not recorded');
    else if (outcome.kind === 'sent') log.info(line, 'notice');
    else log.warn(line, 'notice');
  }

  /** What keeps a notice from being sent at this moment; undefined when nothing does. */
  async #judge(claim: NoticeClaim): Promise<NoticeOutcome | undefined> {
    const { read, log } = this.#options;
    try {
      return (await isStillTrue(read, claim)) ? undefined : offerClosed;
    } catch (error) {
      log.warn({ err: error, notice: claim.id }, 'could not check a notice');
      return { kind: 'failed', reason: 'database', detail: 'the database did not answer' };
    }
  }

  async #attempt(claim: NoticeClaim): Promise<NoticeOutcome> {
    const { mailer, log, metrics } = this.#options;
    const { messageId, createdAt: date } = claim;
    try {
      const mail = { ...messageOf(claim), messageId, date };
      return await mailer.send(mail, this.#breaking.signal);
    } catch (error) {
      metrics.faults.inc();
      log.error({ err: error, ...namesOf(claim) }, 'could not write a notice');
      return { kind: 'failed', reason: 'fault', detail: 'an error of the service' };
    }
  }

  /** Records it as soon as the database lets it. @returns false when the lease ended before */
  async #settle(claim: NoticeClaim, outcome: NoticeOutcome, until: number): Promise<boolean> {
    const { read, log } = this.#options;
    do {
      try {
        return await settleNotice(read, claim, outcome);
      } catch (error) {
        log.warn({ err: error, notice: claim.id }, 'could not record a notice');
      }
    } while (performance.now() < until && (await passed(settleAgainMs, this.#breaking.signal)));
    return false;
  }
}

function namesOf({ id, kind, accountId, told, attempts }: NoticeClaim) {
  const about = told[0]?.about;
  const [account, attempt] = [accountId, attempts + 1];
  return { notice: id, notices: told.length, kind, account, about, attempt };
}
