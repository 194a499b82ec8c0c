import { selectionOf } from '../columns.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import { notFound } from '../errors.js';
import { timestampOf } from '../id.js';
import { rowById } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import { maxWaiting } from './decide-step.js';
import { progressOf, type RecoveryProgress } from './progress.js';
import type { Recovery, RecoveryStatus } from './recovery.entity.js';

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

interface Row extends Pick<Recovery, Shown | 'position'> {
  readonly waiting: number;
}

/** In SQL: a recovery `r` as {@link toViews} reads it. */
const recoveryColumns = `${selectionOf([...shown, 'position'])}, (select count(*)::int from (
     select from pending_delivery c
      where c.ready and c.lane = 'recovery' and c.account_id = r.account_id
        and c.endpoint_id = r.endpoint_id limit ${maxWaiting}) c) as waiting`;

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
async function toViews(read: Read, rows: readonly Row[]): Promise<RecoveryView[]> {
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
  const row = await rowById<Row>(read, 'rcv', getStatement, [id, account]);
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
  const rows = await read.sql<Row>(listStatement, [account, before, statuses, limit + 1]);
  return pageOf(read, scope, limit, await toViews(read, rows));
}
