import { randomInt } from 'node:crypto';
import { isUnavailable } from '../unavailable.js';
import { LockTaken, type Transact, type Tx } from '../tx.js';
import {
  gatherStatement,
  holdMailStatement,
  holdStatement,
  type Next,
  nextStatement,
  retryStatement,
  type Row,
} from './mail-statements.js';
import { type AnyMailed, type NoticeKind, noticeKinds } from './messages.js';

/** The right to send one mail, until its lease ends; everything that it says. */
export type NoticeClaim = AnyMailed & {
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
const gathered: Readonly<Record<NoticeKind, boolean>> = {
  endpoint_disabled: true,
  offer_sent: false,
};

/** Notices that one mail names at most; the next mail names the others. */
const mostPerMail = 200;

/** Processes claim one after the other: what one has claimed the next one counts. */
const claimLock = 0x6e6f7469636573n;

/** Mails of which one call looks after at most, taken or held. */
const mostLooks = 100;
/** Rows that are held by one statement at most. */
const mostHeld = 50;

/**
 * Claims mails for one process: of disabled endpoints before those of offers, unless claiming those
 * failed last, and of each kind one account after the other. Remembers where it stopped and goes on from there.
 */
export class NoticeClaimer {
  readonly #leaseMs: number;
  readonly #onFailed: (error: unknown) => void;
  readonly #cursors = new Map<NoticeKind, string>();
  #kinds: readonly NoticeKind[] = noticeKinds;

  /**
   * @param leaseMs longer than sending one and settling it can take; a lease is nothing but "due
   *   again then"
   * @param onFailed hears of kinds that could not be claimed; unless it is said the whole claim fails
   */
  constructor(
    leaseMs: number,
    onFailed: (error: unknown) => void = (error) => {
      throw error;
    },
  ) {
    this.#leaseMs = leaseMs;
    this.#onFailed = onFailed;
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
        if (error instanceof LockTaken) break;
        // What was claimed already has to be sent all the same.
        this.#onFailed(error);
        // Next time the others are not behind it, if it is this kind alone.
        this.#kinds = [...this.#kinds.filter((each) => each !== kind), kind];
        if (isUnavailable(error)) break;
      }
    }
    return claims;
  }

  async #claim(tx: Tx, kind: NoticeKind, limit: number): Promise<NoticeClaim[]> {
    const claims: NoticeClaim[] = [];
    for (let looks = 0; looks < mostLooks && claims.length < limit; looks += 1) {
      const cursor = this.#cursors.get(kind) ?? '';
      const [next] = await tx.sql<Next>(nextStatement, [kind, cursor, gathered[kind]]);
      if (!next) break;
      this.#cursors.set(kind, next.accountId);
      if (next.heldUntil) await this.#hold(tx, kind, next, next.heldUntil);
      else claims.push(...(await this.#take(tx, kind, next)));
    }
    return claims;
  }

  #hold(tx: Tx, kind: NoticeKind, next: Next, until: Date): Promise<unknown> {
    const { id, begun, accountId, recipient } = next;
    return begun
      ? tx.sql(holdMailStatement, [id, until])
      : tx.sql(holdStatement, [kind, accountId, recipient, until, mostHeld]);
  }

  async #take(tx: Tx, kind: NoticeKind, next: Next): Promise<NoticeClaim[]> {
    const { id, begun, accountId, recipient } = next;
    const token = randomInt(1, 2 ** 48 - 1);
    const others = gathered[kind] ? mostPerMail - 1 : 0;
    const rows = begun
      ? await tx.sql<Row>(retryStatement, [id, token, this.#leaseMs])
      : await tx.sql<Row>(gatherStatement, [
          ...[kind, accountId, recipient, id, token, this.#leaseMs, others],
        ]);
    const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const first = inOrder.find((row) => row.id === id) ?? inOrder[0];
    if (!first) return [];
    const { messageId, createdAt, attempts } = first;
    return [
      {
        ...{ id, token, accountId, messageId, createdAt, attempts },
        notices: inOrder.map((row) => row.id),
        kind,
        recipient: first.recipient,
        told: inOrder.map(({ about, data }) => ({ about, data })),
      } as NoticeClaim,
    ];
  }
}
