// The order of subjects: an endpoint with order gets the events of one subject one at a time.
//
// A pending delivery of such an endpoint is stored under the key of its subject, with a number, and not ready:
// its `due_at` is `infinity`, so neither a claim nor a promotion finds it. One statement makes the lowest number
// of a subject ready when no other delivery of the subject is open (ready, claimed, awaiting a retry, or a dead
// letter). It runs in the transaction that records a result, after a publish has committed, and in each poll.
//
// Numbers come from a sequence, so they do not commit in order: an uncommitted number is of a publish that
// nobody has been told of. So an event whose publish was answered before another was sent has the lower number,
// and both are visible to whoever compares them.
//
// Invariants: whoever makes deliveries ready holds the lock of their endpoint since before its statement began,
// so it sees what the one before has done. A unique index refuses a second open delivery of a subject. A crash
// leaves a subject that waits although none of it is open; the next poll of any worker finds it.
import type { Read, Statement, Transact, Tx } from '../transaction/tx.js';
import { deliveriesReady, type OrderedSubject, type Wakeup } from '../transaction/wakeup.js';

/** In SQL: a pending delivery waits for its turn. The order names the index, which a bitmap would read as a whole. */
export const anyWaitsForTurn = `(
    select true from pending_delivery c where c.due_at = 'infinity'
     order by c.endpoint_id, c.subject_key, c.subject_number limit 1) is not null`;

/**
 * In SQL: the pending deliveries `c` of a subject. It compares both columns as a row, so that only the indexes of
 * subjects have the order: the planner could otherwise read all of an endpoint.
 */
const ofSubject = (endpoint: string, key: string) => `
                (c.endpoint_id, c.subject_key) >= (${endpoint}, ${key})
            and (c.endpoint_id, c.subject_key) <= (${endpoint}, ${key})`;

/** In SQL: the open pending delivery of a subject. */
const openOf = (columns: string, endpoint: string, key: string) => `
           select ${columns} from pending_delivery c
            where ${ofSubject(endpoint, key)}
              and c.subject_key is not null and c.due_at < 'infinity'
            order by c.endpoint_id, c.subject_key limit 1`;

/** In SQL: how many deliveries of its subject come before the one that waits with this id; at most `limit` are read. */
export const countBeforeInSubject = (id: string, limit: number) => `(
             select ((${openOf('1', 'w.endpoint_id', 'w.subject_key')}) is not null)::int + (
               select count(*)::int from (
                 select from pending_delivery c
                  where ${ofSubject('w.endpoint_id', 'w.subject_key')} and c.due_at = 'infinity'
                    and c.subject_number < w.subject_number
                  order by c.endpoint_id, c.subject_key, c.subject_number limit ${limit}) c)
               from pending_delivery w where w.id = ${id})`;

/** Locks endpoints in one order, so that two transactions never wait for each other. */
const lockStatement: Statement = {
  name: 'subject_order_lock',
  text: `
    select pg_advisory_xact_lock(hashtextextended('subject order ' || i.id, 0))
      from (select unnest($1::text[]) as id offset 0) i`,
};

/**
 * Makes the lowest of each subject ready, if none of it is open. One that another transaction has locked, to
 * cancel it, stays as it is and nothing overtakes it.
 */
const advanceStatement: Statement = {
  name: 'subject_order_advance',
  text: `
    with next as (
      select n.id
        from unnest($1::text[], $2::uuid[]) i (endpoint_id, subject_key)
        cross join lateral (
          select c.id from pending_delivery c
           where ${ofSubject('i.endpoint_id', 'i.subject_key')} and c.due_at = 'infinity'
           order by c.endpoint_id, c.subject_key, c.subject_number limit 1) n
       where (${openOf('true', 'i.endpoint_id', 'i.subject_key')}) is null
    ), locked as (
      select l.id from next n cross join lateral (
        select c.id from pending_delivery c where c.id = n.id and not c.ready for update skip locked) l
    )
    update pending_delivery c
       set ready = true, due_at = date_trunc('milliseconds', now())
     where c.id = any (array(select l.id from locked l))
    returning c.id`,
};

/** Makes ready what waits at endpoints without order, as unordered deliveries. */
const releaseStatement: Statement = {
  name: 'subject_order_release',
  text: `
    with picked as (
      select c.id
        from unnest($1::text[]) i (endpoint_id)
        cross join lateral (
          select e.id from endpoint e where e.id = i.endpoint_id and e.ordering is null limit 1) e
        cross join lateral (
          select c.id from pending_delivery c
           where c.endpoint_id = e.id and c.due_at = 'infinity'
           order by c.endpoint_id, c.subject_key, c.subject_number limit $2
             for update skip locked) c
       limit $2
    )
    update pending_delivery c
       set ready = true, due_at = date_trunc('milliseconds', now()), subject_key = null,
           subject_number = null
     where c.id = any (array(select p.id from picked p))
    returning c.id`,
};

/** One poll walks at most this many subjects. One statement makes at most this many deliveries ready. */
const batch = 1_000;

/**
 * One transaction advances at most this many subjects. Each endpoint takes a lock, and PostgreSQL has some 6,400 for all
 * sessions together.
 */
const lockBatch = 200;

/**
 * Makes the next delivery of each subject ready, unless one of it is open. Its transaction should end soon: others
 * wait for the locks of these endpoints. A few hundred subjects at most.
 * @returns how many became ready; workers are woken for them after the commit
 */
export async function advanceSubjects(
  tx: Tx,
  subjects: readonly OrderedSubject[],
): Promise<number> {
  const unique = [...new Map(subjects.map((subject) => [nameOf(subject), subject])).values()];
  if (unique.length === 0) return 0;

  // Both take one round trip. The second statement begins, and takes its snapshot, once the first has the locks.
  const [, advanced] = await Promise.all([
    tx.sql(lockStatement, [endpointsOf(unique)]),
    tx.sql(advanceStatement, [
      unique.map(({ endpointId }) => endpointId),
      unique.map(({ subjectKey }) => subjectKey),
    ]),
  ]);
  if (advanced.length > 0) tx.wake(deliveriesReady);

  return advanced.length;
}

/** Makes ready what waits at endpoints whose order was turned off, at most {@link batch}. */
async function releaseWaiting(tx: Tx, endpointIds: readonly string[]): Promise<number> {
  const [, released] = await Promise.all([
    tx.sql(lockStatement, [endpointIds]),
    tx.sql(releaseStatement, [endpointIds, batch]),
  ]);
  if (released.length > 0) tx.wake(deliveriesReady);

  return released.length;
}

function nameOf({ endpointId, subjectKey }: OrderedSubject): string {
  return `${endpointId} ${subjectKey}`;
}

function endpointsOf(subjects: readonly OrderedSubject[]): string[] {
  return [...new Set(subjects.map(({ endpointId }) => endpointId))].sort();
}

interface WalkRow extends OrderedSubject {
  readonly step: number;
  readonly isOpen: boolean;
  readonly isOrdered: boolean;
}

/**
 * Walks the next {@link batch} subjects in which a delivery waits, by one probe of the index each, and returns those
 * of which none is open, those of endpoints without order, and the last one of a walk that is not complete.
 */
const walkStatement: Statement = {
  name: 'subject_order_walk',
  text: `
    with recursive walk (endpoint_id, subject_key, step) as (
      (select c.endpoint_id, c.subject_key, 1 from pending_delivery c
        where c.due_at = 'infinity' and (c.endpoint_id, c.subject_key) > ($1, $2::uuid)
        order by c.endpoint_id, c.subject_key limit 1)
      union all
      select n.endpoint_id, n.subject_key, w.step + 1 from walk w cross join lateral (
        select c.endpoint_id, c.subject_key from pending_delivery c
         where c.due_at = 'infinity'
           and (c.endpoint_id, c.subject_key) > (w.endpoint_id, w.subject_key)
         order by c.endpoint_id, c.subject_key limit 1) n
      where w.step < ${batch}
    ), walked as (
      select w.*, (${openOf('true', 'w.endpoint_id', 'w.subject_key')}) is not null as is_open,
             (select e.ordering from endpoint e where e.id = w.endpoint_id limit 1) is not null as is_ordered
        from walk w
    )
    select w.endpoint_id as "endpointId", w.subject_key as "subjectKey", w.step,
           w.is_open as "isOpen", w.is_ordered as "isOrdered"
      from walked w where not w.is_open or not w.is_ordered or w.step = ${batch}`,
};

/** What the first open delivery of a subject does. */
export const heldByStates = ['sending', 'due', 'retrying', 'dead_letter'] as const;

/** The open delivery that the others of its subject wait for. */
export interface HeldBy {
  readonly pendingDeliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: (typeof heldByStates)[number];
  /** Number of its next attempt, and when that is due. */
  readonly attempt: number;
  readonly dueAt: Date;
  /** The record of its last attempt; null before that is recorded. */
  readonly lastDeliveryId: string | null;
}

/** A subject in which deliveries wait for their turn. */
export interface HeldSubject {
  readonly subject: string;
  /** How many wait; at most {@link heldCountLimit} are counted. */
  readonly waiting: number;
  readonly waitingIsComplete: boolean;
  /** Null for the moment in which none is open and the next becomes ready. */
  readonly heldBy: HeldBy | null;
}

const heldCountLimit = 1_000;

/** Only so many subjects are shown; when some are done, others follow. */
const heldSubjectsLimit = 100;

const heldStatement: Statement = {
  name: 'subject_order_held',
  text: `
    with recursive walk (subject_key, event_id, step) as (
      (select c.subject_key, c.event_id, 1 from pending_delivery c
        where c.due_at = 'infinity' and c.endpoint_id = $1
        order by c.endpoint_id, c.subject_key, c.subject_number limit 1)
      union all
      select n.subject_key, n.event_id, w.step + 1 from walk w cross join lateral (
        select c.subject_key, c.event_id from pending_delivery c
         where c.due_at = 'infinity' and c.endpoint_id = $1 and c.subject_key > w.subject_key
         order by c.endpoint_id, c.subject_key, c.subject_number limit 1) n
      where w.step < ${heldSubjectsLimit}
    )
    select coalesce((select v.subject from event v where v.id >= w.event_id and v.id <= w.event_id
                      order by v.id limit 1), '') as subject,
           (select count(*)::int from (
              select from pending_delivery c
               where ${ofSubject('$1', 'w.subject_key')} and c.due_at = 'infinity'
               order by c.endpoint_id, c.subject_key, c.subject_number limit ${heldCountLimit + 1}) c) as waiting,
           o.id as "pendingDeliveryId", o.event_id as "eventId", o.event_type as "eventType", o.attempt,
           o.due_at as "dueAt", o.last_delivery_id as "lastDeliveryId",
           case when o.dead_letter_reason is not null then 'dead_letter'
                when o.lease_token is not null then 'sending'
                when o.ready then 'due' else 'retrying' end as state
      from walk w
      left join lateral (${openOf('*', '$1', 'w.subject_key')}) o on true`,
};

/**
 * Returns the subjects of an endpoint in which deliveries wait, at most {@link heldSubjectsLimit}, and what they wait
 * for. Only for an endpoint that was looked up within an account already.
 */
export async function heldSubjects(read: Read, endpointId: string): Promise<HeldSubject[]> {
  type Row = Pick<HeldSubject, 'subject' | 'waiting'> &
    (HeldBy | { readonly pendingDeliveryId: null });
  const rows = await read.sql<Row>(heldStatement, [endpointId]);
  return rows.map(({ subject, waiting, ...heldBy }) => ({
    subject,
    waiting: Math.min(waiting, heldCountLimit),
    waitingIsComplete: waiting <= heldCountLimit,
    heldBy: heldBy.pendingDeliveryId === null ? null : heldBy,
  }));
}

const beginning: OrderedSubject = {
  endpointId: '',
  subjectKey: '00000000-0000-0000-0000-000000000000',
};

/** One poll runs at most this many transactions. */
const maxBatches = 10;

/** Options of a {@link SubjectOrder}. */
interface SubjectOrderOptions {
  /** The database of the process, which needs this object to be opened. */
  readonly database: () => { readonly read: Pick<Read, 'sql'>; readonly transact: Transact };
  /** Called when subjects could not be advanced; the next poll of a worker does it. */
  readonly onError: (error: unknown) => void;
}

/** Advances the subjects of a process after its publishes, and all subjects by its polls. */
export class SubjectOrder {
  readonly #options: SubjectOrderOptions;
  readonly #waiting = new Map<string, OrderedSubject>();
  #running: Promise<void> | undefined;
  #after = beginning;

  constructor(options: SubjectOrderOptions) {
    this.#options = options;
  }

  /**
   * Advances the subjects that these wake-ups name, in the background. Those that come meanwhile go together. Never
   * throws.
   */
  published(wakeups: readonly Wakeup[]): void {
    for (const { subjects = [] } of wakeups) {
      // A poll finds what exceeds a few batches.
      for (const subject of subjects)
        if (this.#waiting.size < maxBatches * batch) this.#waiting.set(nameOf(subject), subject);
    }
    if (this.#waiting.size === 0) return;
    this.#running ??= this.#run();
  }

  /**
   * Walks subjects in which deliveries wait, at most 1,000 by call, from where the last call stopped. Advances those
   * of which none is open, and makes ready what waits at endpoints without order.
   * @returns how many became ready
   */
  async poll(): Promise<number> {
    const { read, transact } = this.#options.database();
    const { endpointId, subjectKey } = this.#after;
    const rows = await read.sql<WalkRow>(walkStatement, [endpointId, subjectKey]);
    this.#after = rows.find(({ step }) => step === batch) ?? beginning;

    const behind = rows.filter(({ isOpen, isOrdered }) => !isOpen && isOrdered);
    let ready = 0;
    for (let first = 0; first < behind.length; first += lockBatch) {
      const subjects = behind.slice(first, first + lockBatch);
      ready += await transact((tx) => advanceSubjects(tx, subjects));
    }

    const unordered = endpointsOf(rows.filter(({ isOrdered }) => !isOrdered)).slice(0, lockBatch);
    for (let count = 0; unordered.length > 0 && count < maxBatches; count += 1) {
      const released = await transact((tx) => releaseWaiting(tx, unordered));
      ready += released;
      if (released < batch) break;
    }

    return ready;
  }

  /** Waits for what runs. */
  async stop(): Promise<void> {
    await this.#running;
  }

  /** Never throws. */
  async #run(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const subjects = [...this.#waiting.values()].slice(0, lockBatch);
        for (const subject of subjects) this.#waiting.delete(nameOf(subject));
        await this.#options.database().transact((tx) => advanceSubjects(tx, subjects));
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      // At once: what is published from now on must not join a run that has ended.
      this.#running = undefined;
    }
  }
}
