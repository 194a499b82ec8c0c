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

/** The right to send one mail, until its lease ends, and the content of the mail. */
export type NoticeClaim = AnyMailContent & {
  /** The first notice that the mail names. The mail keeps that notice's Message-ID when it is retried. */
  readonly id: string;
  /** All notices that the mail names. */
  readonly notices: readonly string[];
  /** Fences the record: this claim no longer records notices that another process has claimed since. */
  readonly token: number;
  readonly accountId: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** Attempts that have ended before this one. */
  readonly attempts: number;
};

/** Says for each kind whether one mail combines an account's notices to one recipient. */
const isDigest: Readonly<Record<NoticeKind, boolean>> = {
  sign_in_link: false,
  endpoint_disabled: true,
  endpoint_failing: true,
  endpoint_recovered: true,
  offer_sent: false,
};

/**
 * At most this many notices in one mail, which keeps it below 3 MB. Ten times the default limit of
 * endpoints per account. The next mail names the others.
 */
const maxNoticesPerMail = 10_000;

/** Makes processes claim one after the other, so that each counts the mails that the others claimed. */
const claimLock = 0x6e6f7469636573n;

/** At most this many mails of a kind in one call, claimed or postponed. */
const maxMailsPerCall = 100;
/** At most this many rows in one statement that postpones. */
const maxPostponedNotices = 50;

/**
 * Claims mails for one process. The kinds come in the order of {@link noticeKinds}; one whose claim failed
 * comes last. Within a kind it visits one account after the other, and the next call continues there.
 */
export class NoticeClaimer {
  readonly #leaseMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #cursors = new Map<NoticeKind, string>();
  #kinds: readonly NoticeKind[] = noticeKinds;

  /**
   * @param leaseMs must exceed the time that sending and recording one mail can take; a mail whose lease
   *   ends is due again
   * @param onError gets the error of a kind that could not be claimed. Defaults to throwing it, which fails
   *   the whole claim
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

  /** Claims at most `limit` mails that are due; none while another process claims. */
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
        // The caller still has to send the mails claimed so far.
        this.#onError(error);
        // The next call claims this kind last, so that its failures do not block the others.
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
    const { id, isRetry, accountId, mailbox } = next;
    return isRetry
      ? tx.sql(postponeMailStatement, [id, until])
      : tx.sql(postponeStatement, [kind, accountId, mailbox, until, maxPostponedNotices]);
  }

  async #claimMail(tx: Tx, kind: NoticeKind, next: NextMail): Promise<NoticeClaim[]> {
    const { id, isRetry, accountId, mailbox } = next;
    const token = randomInt(1, 2 ** 48 - 1);
    const otherNotices = isDigest[kind] ? maxNoticesPerMail - 1 : 0;
    const rows = isRetry
      ? await tx.sql<ClaimedRow>(claimRetryStatement, [id, token, this.#leaseMs])
      : await tx.sql<ClaimedRow>(claimMailStatement, [
          kind,
          accountId,
          mailbox,
          id,
          token,
          this.#leaseMs,
          otherNotices,
        ]);
    const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const firstRow = sorted.find((row) => row.id === id) ?? sorted[0];
    if (!firstRow) return [];
    const { messageId, createdAt, attempts } = firstRow;
    return [
      {
        id,
        token,
        accountId,
        messageId,
        createdAt,
        attempts,
        notices: sorted.map((row) => row.id),
        kind,
        recipient: firstRow.recipient,
        entries: sorted.map(({ resourceId, data }) => ({ resourceId, data })),
      } as NoticeClaim,
    ];
  }
}
