// Recoveries as accounts, operators and workers read them: one or a list, with the progress of their
// deliveries; how many are active, and whether one is due. It also ends and purges old ones.
import { notFound } from '../errors.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { rowById, singleRow } from '../transaction/rows.js';
import { selectionOf, type Purge, purgeOf } from '../transaction/sql.js';
import type { Read, Statement } from '../transaction/tx.js';
import { smallestId, timestampOf } from '../values/id.js';
import { clockSlackMs, untriedOf } from './candidates.js';
import type { Recovery, RecoveryStatus } from './recovery.entity.js';
import { maxWaiting, tagLength } from './run-step.js';

const shown = [
  'id',
  'endpointId',
  'what',
  'since',
  'until',
  'eventTypes',
  'includeBefore',
  'ratePerSecond',
  'status',
  'reason',
  'waitsFor',
  'failed',
  'missed',
  'createdAt',
  'updatedAt',
  'endedAt',
] as const satisfies readonly (keyof Recovery)[];
type Shown = (typeof shown)[number];

/** A recovery as its account sees it. */
export interface RecoveryView extends Pick<Recovery, Shown>, RecoveryProgress {
  /** The time up to which it has read events. */
  readonly position: Date;
  /** Deliveries it added whose first attempt has not ended, counted up to 400. */
  readonly waiting: number;
}

interface RecoveryRow extends Pick<Recovery, Shown | 'position'> {
  readonly waiting: number;
}

/** In SQL: a recovery `r` as {@link toViews} reads it. */
const recoveryColumns = `${selectionOf([...shown, 'position'])}, (select count(*)::int from (
     ${untriedOf('r.account_id', 'r.endpoint_id')} limit ${maxWaiting}) c) as waiting`;

const getStatement: Statement = {
  name: 'recovery_get',
  text: `select ${recoveryColumns} from recovery r where r.id = $1 and r.account_id = $2`,
};

const listStatement: Statement = {
  name: 'recovery_list',
  text: `
    select ${recoveryColumns} from recovery r
     where r.account_id = $1 and r.id < $2 and r.status = any ($3::text[])
     order by r.id desc limit $4`,
};

const greaterThanAnyId = 'rcv~';

/** Makes views of rows with {@link recoveryColumns}. */
async function toViews(read: Read, rows: readonly RecoveryRow[]): Promise<RecoveryView[]> {
  const progress = await progressOf(read, rows);
  return rows.flatMap(({ position, ...row }) => {
    const at = timestampOf(position);
    const counts = progress.get(row.id);
    return counts ? [{ ...row, ...counts, position: at > row.until ? row.until : at }] : [];
  });
}

/**
 * Returns one recovery of an account.
 * @throws DomainError not_found
 */
export async function getRecovery(read: Read, account: string, id: string): Promise<RecoveryView> {
  const row = await rowById<RecoveryRow>(read, 'rcv', getStatement, [id, account]);
  const [view] = await toViews(read, [row]);
  if (!view) throw notFound('recovery');
  return view;
}

/**
 * Lists the recoveries of an account, newest first.
 * @throws DomainError validation_failed
 */
export async function listRecoveries(
  read: Read,
  account: string,
  request: PageRequest<RecoveryStatus>,
): Promise<Page<RecoveryView>> {
  const { limit, status } = request;
  const scope = { list: 'recoveries', account, filter: status ?? undefined };
  const before = pageStart(read, scope, request) ?? greaterThanAnyId;
  const statuses = status == null ? ['running', 'paused', 'completed', 'cancelled'] : [status];
  const rows = await read.sql<RecoveryRow>(listStatement, [account, before, statuses, limit + 1]);
  return pageOf(read, scope, limit, await toViews(read, rows));
}

/** What became of the deliveries that a recovery added. */
interface RecoveryProgress {
  /** Those that the endpoint accepted; null when there are too many rows to count. */
  readonly delivered: number | null;
  /** Those that failed and are attempted again. */
  readonly retrying: number;
  /** Those that failed for good, or were cancelled after a failed attempt. */
  readonly abandoned: number;
}

/** At most this many pending deliveries, and abandoned records, of the endpoint are read. */
const readLimit = 10_000;

const progressStatement: Statement = {
  name: 'recovery_progress',
  text: `
    select i.id, p.*, a.*
      from unnest($1::text[], $2::text[], $3::text[]) i (id, endpoint_id, floor)
      cross join lateral (
        select count(*)::int as "pendingRead",
               count(*) filter (where right(c.id, ${tagLength}) = right(i.id, ${tagLength})
                                  and c.last_delivery_id is not null)::int as retrying,
               count(*) filter (where right(c.id, ${tagLength}) = right(i.id, ${tagLength})
                                  and c.last_delivery_id is null)::int as untried
          from (select c.id, c.last_delivery_id from pending_delivery c
                 where c.endpoint_id = i.endpoint_id limit ${readLimit}) c) p
      cross join lateral (
        select count(*)::int as "abandonedRead",
               count(*) filter (where right(d.pending_delivery_id, ${tagLength})
                                        = right(i.id, ${tagLength}))::int as abandoned
          from (select d.pending_delivery_id from delivery d
                 where hashtextextended(d.endpoint_id || d.status, 0)
                         = hashtextextended(i.endpoint_id || 'abandoned', 0)
                   and d.id >= i.floor limit ${readLimit}) d) a`,
};

interface ProgressRow {
  readonly id: string;
  readonly pendingRead: number;
  readonly retrying: number;
  readonly untried: number;
  readonly abandonedRead: number;
  readonly abandoned: number;
}

/** Counts what became of the deliveries of these recoveries, by the id of the recovery. */
async function progressOf(
  read: Pick<Read, 'sql'>,
  recoveries: readonly Pick<Recovery, 'id' | 'endpointId' | 'createdAt' | 'failed' | 'missed'>[],
): Promise<ReadonlyMap<string, RecoveryProgress>> {
  const rows = await read.sql<ProgressRow>(progressStatement, [
    recoveries.map(({ id }) => id),
    recoveries.map(({ endpointId }) => endpointId),
    recoveries.map(({ createdAt }) =>
      smallestId('whd', new Date(createdAt.getTime() - clockSlackMs)),
    ),
  ]);
  const added = new Map(recoveries.map(({ id, failed, missed }) => [id, failed + missed]));
  return new Map(rows.map((row) => [row.id, toProgress(row, added.get(row.id) ?? 0)]));
}

function toProgress(row: ProgressRow, added: number): RecoveryProgress {
  const { pendingRead, retrying, untried, abandonedRead, abandoned } = row;
  const isComplete = pendingRead < readLimit && abandonedRead < readLimit;
  const delivered = isComplete ? Math.max(0, added - untried - retrying - abandoned) : null;
  return { delivered, retrying, abandoned };
}

const expireStatement: Statement = {
  name: 'recovery_expire',
  text: `
    update recovery r
       set status = 'cancelled', reason = 'expired', waits_for = null, updated_at = now(), ended_at = now()
     where r.id = any (array(
       select p.id from recovery p
        where p.status = 'paused' and p.updated_at < now() - interval '30 days'
        limit $1 for update skip locked))`,
};

const purgeEnded = purgeOf('recovery', 'ended_at', '40 days');

/**
 * Cancels recoveries that were paused for 30 days, and deletes those that ended more than 40 days
 * ago, at most `limit` of each.
 */
export const purgeRecoveries: Purge = async (tx, limit) => {
  await tx.sql(expireStatement, [limit]);
  return purgeEnded(tx, limit);
};

/** In SQL: a recovery is running. */
export const runningRecoveries = `exists (
    select from recovery r where r.status in ('running', 'paused') and r.status = 'running')`;

const dueStatement: Statement = {
  name: 'recovery_due',
  text: `
    select ${runningRecoveries} as running,
           exists (select from recovery r where r.status in ('running', 'paused') and r.status = 'running'
                      and r.next_step_at <= now()) as due,
           exists (select from pending_delivery c
                    where c.ready and c.lease_token is null and c.lane = 'recovery') as ready`,
};

/** The work that recoveries have for a worker. */
export interface RecoveriesDue {
  /** Whether a recovery is running. */
  readonly running: boolean;
  /** Whether a step of one is due. */
  readonly due: boolean;
  /** Whether a delivery of one is ready to be claimed. */
  readonly ready: boolean;
}

/** Reads in one statement whether recoveries have work. */
export function recoveriesDue(read: Read): Promise<RecoveriesDue> {
  return singleRow<RecoveriesDue>(read, dueStatement);
}

const countStatement: Statement = {
  name: 'recovery_count',
  text: `
    select count(*) filter (where r.status = 'running')::int as running,
           count(*) filter (where r.status = 'paused')::int as paused
      from recovery r where r.status in ('running', 'paused')`,
};

/** Active recoveries of all accounts, for operators. */
export interface ActiveRecoveries {
  readonly running: number;
  readonly paused: number;
}

/** Counts the recoveries that have not ended. */
export function countRecoveries(read: Read): Promise<ActiveRecoveries> {
  return singleRow<ActiveRecoveries>(read, countStatement);
}
