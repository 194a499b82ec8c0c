import { selectionOf } from '../columns.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import { rowById } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import { type Erasure, type ErasureStatus, erasureStatuses } from './erasure.entity.js';

const shown = [
  'id',
  'accountId',
  'kind',
  'requestedBy',
  'includeInvoices',
  'status',
  'counts',
  'createdAt',
  'updatedAt',
  'completedAt',
] as const satisfies readonly (keyof Erasure)[];

/** An erasure as operators see it. It has no personal data. */
export interface ErasureView extends Pick<Erasure, (typeof shown)[number]> {
  /** Whether everything found is erased, and the erasure only waits for what was under way. */
  readonly waiting: boolean;
}

/** In SQL: when the next step of an erasure `r` is due. Those that 2.0.0 started have only the older column. */
export const dueAt = 'coalesce(r.due_at, r.next_step_at)';

const columns = `${selectionOf(shown)}, r.status = 'running'
    and ${dueAt} > greatest(now(), r.updated_at + interval '1 second') as waiting`;

const getStatement: Statement = {
  name: 'erasure_get',
  text: `select ${columns} from erasure r where r.id = $1`,
};

const listStatement: Statement = {
  name: 'erasure_list',
  text: `
    select ${columns} from erasure r
     where r.id < $1 and r.status = any ($2::text[]) order by r.id desc limit $3`,
};

const greaterThanAnyId = 'era~';

/**
 * Returns one erasure of any account.
 * @throws DomainError not_found
 */
export function getErasure(read: Read, id: string): Promise<ErasureView> {
  return rowById<ErasureView>(read, 'era', getStatement, [id]);
}

/**
 * Lists the erasures of all accounts, newest first.
 * @throws DomainError validation_failed
 */
export async function listErasures(
  read: Read,
  request: PageRequest<ErasureStatus>,
): Promise<Page<ErasureView>> {
  const { limit, status } = request;
  const scope = { list: 'erasures', account: '', filter: status ?? undefined };
  const before = pageStart(read, scope, request) ?? greaterThanAnyId;
  const statuses = status == null ? erasureStatuses : [status];
  const rows = await read.sql<ErasureView>(listStatement, [before, statuses, limit + 1]);
  return pageOf(read, scope, limit, rows);
}
