import { randomInt } from 'node:crypto';
import { isUnavailable } from '../unavailable.js';
import { LockNotAvailable, type Transact, type Tx } from '../tx.js';
import {
  claimMailStatement,
  postponeMailStatement,
  postponeStatement,
  type NextMail,
  nextStatement,
  claimRetryStatement,
  type ClaimedRow,
} from './claim-statements.js';
import { type AnyMailContent, type NoticeKind, noticeKinds } from './mail-templates.js';

/** The right to send one mail, until its lease ends; everything that it says. */
export type NoticeClaim = AnyMailContent & {
  /** The first notice that the mail names; its Message-ID is the mail's, for good. */
  readonly id: string;
  /** All notices that the mail names. */
  readonly notices: readonly string[];
  /** Fences the settlement: notices that somebody else has claimed since do not settle. */
  readonly token: number;
  readonly accountId: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** Attempts that have ended before this one. */
  readonly attempts: number;
};

/** Whether notices of a kind for one recipient of one account go into one mail. */
const isDigest: Readonly<Record<NoticeKind, boolean>> = {
  endpoint_disabled: true,
  offer_sent: false,
};

/** Notices that one mail names at most; the next mail names the others. */
const maxNoticesPerMail = 200;

/** Processes claim one after the other: what one has claimed the next one counts. */
const claimLock = 0x6e6f7469636573n;

/** Mails of which one call looks after at most, taken or held. */
const maxMailsPerCall = 100;
/** Rows that are held by one statement at most. */
const maxPostponedNotices = 50;

/**
 * Claims mails for one process: of disabled endpoints before those of offers, unless claiming those
 * failed last, and of each kind one account after the other. Remembers where it stopped and goes on from there.
 */
export class NoticeClaimer {
  readonly #leaseMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #cursors = new Map<NoticeKind, string>();
  #kinds: readonly NoticeKind[] = noticeKinds;

  /**
   * @param leaseMs longer than sending one and settling it can take; a lease is nothing but "due
   *   again then"
   * @param onError hears of kinds that could not be claimed; unless it is said the whole claim fails
   */
  constructor(
    leaseMs: number,
    onError: (error: unknown) => void = (error) => {
      throw error;
    },
  ) {
    this.#leaseMs = leaseMs;
    this.#onError = onError;
  }

  /** Claims mails that are due, at most `limit`; none while another process claims. */
  async claim(transact: Transact, limit: number): Promise<NoticeClaim[]> {
    const claims: NoticeClaim[] = [];
    for (const kind of this.#kinds) {
      if (claims.length >= limit) break;
      try {
        const wanted = limit - claims.length;
        claims.push(
          ...(await transact((tx) => this.#claim(tx, kind, wanted), { lock: claimLock })),
        );
      } catch (error) {
        if (error instanceof LockNotAvailable) break;
        // What was claimed already has to be sent all the same.
        this.#onError(error);
        // Next time the others are not behind it, if it is this kind alone.
        this.#kinds = [...this.#kinds.filter((each) => each !== kind), kind];
        if (isUnavailable(error)) break;
      }
    }
    return claims;
  }

  async #claim(tx: Tx, kind: NoticeKind, limit: number): Promise<NoticeClaim[]> {
    const claims: NoticeClaim[] = [];
    for (let mails = 0; mails < maxMailsPerCall && claims.length < limit; mails += 1) {
      const cursor = this.#cursors.get(kind) ?? '';
      const [next] = await tx.sql<NextMail>(nextStatement, [kind, cursor, isDigest[kind]]);
      if (!next) break;
      this.#cursors.set(kind, next.accountId);
      if (next.postponedUntil) await this.#postpone(tx, kind, next, next.postponedUntil);
      else claims.push(...(await this.#claimMail(tx, kind, next)));
    }
    return claims;
  }

  #postpone(tx: Tx, kind: NoticeKind, next: NextMail, until: Date): Promise<unknown> {
    const { id, isRetry, accountId, recipient } = next;
    return isRetry
      ? tx.sql(postponeMailStatement, [id, until])
      : tx.sql(postponeStatement, [kind, accountId, recipient, until, maxPostponedNotices]);
  }

  async #claimMail(tx: Tx, kind: NoticeKind, next: NextMail): Promise<NoticeClaim[]> {
    const { id, isRetry, accountId, recipient } = next;
    const token = randomInt(1, 2 ** 48 - 1);
    const otherNotices = isDigest[kind] ? maxNoticesPerMail - 1 : 0;
    const rows = isRetry
      ? await tx.sql<ClaimedRow>(claimRetryStatement, [id, token, this.#leaseMs])
      : await tx.sql<ClaimedRow>(claimMailStatement, [
          ...[kind, accountId, recipient, id, token, this.#leaseMs, otherNotices],
        ]);
    const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const firstRow = sorted.find((row) => row.id === id) ?? sorted[0];
    if (!firstRow) return [];
    const { messageId, createdAt, attempts } = firstRow;
    return [
      {
        ...{ id, token, accountId, messageId, createdAt, attempts },
        notices: sorted.map((row) => row.id),
        kind,
        recipient: firstRow.recipient,
        entries: sorted.map(({ resourceId, data }) => ({ resourceId, data })),
      } as NoticeClaim,
    ];
  }
}
