// Runs erasures, step by step.
//
// Any worker takes the next step of any erasure that is due; the lock of its row keeps others away. A step erases rows
// of one stage and stores the position in the same transaction, so a crash neither skips nor repeats anything. All
// stages together are a pass. A request or attempt that was in progress at the start may still write personal data, so
// passes repeat. The last one begins at least two minutes after the start and after the last find, and finds nothing.
import { singleRow } from '../transaction/rows.js';
import { selectionOf } from '../transaction/sql.js';
import type { Statement, Transact, Tx } from '../transaction/tx.js';
import { accountStages } from './account-stages.js';
import { buyerStages } from './buyer-stages.js';
import type { Erasure } from './erasure.entity.js';
import { dueAt, type BuyerErasureInput, startBuyerErasure } from './erasures.js';
import type { ErasureJob, RowCounts, Stage, StepResult } from './stage.js';

/** Options of {@link runErasureStep}. */
export interface ErasureOptions {
  /** The erasure to run. Defaults to the one that is due first. */
  readonly id?: string;
  /**
   * The last pass begins at least so long after the start and after the last find, when everything that was in progress
   * has ended. Defaults to two minutes.
   */
  readonly lastPassAfterMs?: number;
}

const defaultLastPassAfterMs = 120_000;

/** How long a step waits for rows that other sessions hold. */
const blockedMs = 1_000;

const stepFields = [
  'id',
  'accountId',
  'kind',
  'email',
  'includeInvoices',
  'stage',
  'place',
  'passStartedAt',
  'foundInPass',
  'counts',
  'dueAt',
  'createdAt',
] as const satisfies readonly (keyof Erasure)[];
type Locked = Pick<Erasure, (typeof stepFields)[number]>;

const lockStatement: Statement = {
  name: 'erasure_lock',
  text: `
    select ${selectionOf(stepFields)} from erasure r
     where r.status = 'running' and ${dueAt} <= now() and ($1::text is null or r.id = $1)
     order by ${dueAt} limit 1 for update skip locked`,
};

const moveStatement: Statement = {
  name: 'erasure_move',
  text: `
    update erasure
       set stage = $2, place = $3, found_in_pass = $4, counts = $5, due_at = $6,
           next_step_at = 'infinity', pass_started_at = $7, updated_at = now()
     where id = $1`,
};

const completeStatement: Statement = {
  name: 'erasure_complete',
  text: `
    with subjects as (delete from erasure_subject s where s.erasure_id = $1)
    update erasure
       set status = 'completed', stage = '', place = null, email = null, updated_at = now(),
           completed_at = now()
     where id = $1`,
};

const postponeStatement: Statement = {
  name: 'erasure_postpone',
  text: `
    update erasure
       set stage = case when due_at is null then '' else stage end,
           due_at = now() + interval '1 minute', next_step_at = 'infinity'
     where id = $1 and status = 'running'`,
};

/** What {@link runErasureStep} did. */
export interface ErasureStep {
  readonly id: string;
  readonly completed: boolean;
}

/**
 * Runs the next step of an erasure in one transaction.
 * @returns undefined if no step is due, or other processes are running the due ones
 * @throws what the step throws; the erasure then goes on after a minute
 */
export async function runErasureStep(
  transact: Transact,
  { id, lastPassAfterMs = defaultLastPassAfterMs }: ErasureOptions = {},
): Promise<ErasureStep | undefined> {
  const firstQuery = { statement: lockStatement, values: [id ?? null] };
  let taken: string | undefined;
  const work = (tx: Tx) => {
    const [locked] = tx.firstRows as readonly Locked[];
    taken = locked?.id;
    return Promise.resolve(locked && takeStep(tx, locked, lastPassAfterMs));
  };
  try {
    return await transact(work, { firstQuery });
  } catch (error) {
    // Other erasures must not wait for one that fails.
    if (taken !== undefined) await transact((tx) => tx.sql(postponeStatement, [taken]));
    throw error;
  }
}

async function takeStep(tx: Tx, locked: Locked, lastPassAfterMs: number): Promise<ErasureStep> {
  const { id, createdAt } = locked;
  const stages = stagesOf(tx, locked);

  // The pass begins again after steps of 2.0.0, and when a release has renamed the stage.
  const reached = locked.dueAt === null ? '' : locked.stage;
  const at = Math.max(
    0,
    stages.findIndex(({ name }) => name === reached),
  );

  const stage = stages[at];
  if (!stage) throw new Error(`The erasure ${id} has no stages.`);

  const place = stage.name === reached ? locked.place : null;
  const { counts: found, next, isBlocked } = await stage.run(tx, { job: locked, place });
  const counts = addCounts(locked.counts, found);
  const foundInPass = locked.foundInPass + total(found);

  const nextStage = next === null ? stages[at + 1] : stage;
  if (nextStage) {
    await move(tx, id, {
      stage: nextStage.name,
      place: next,
      foundInPass,
      counts,
      continueAt: isBlocked ? addMs(tx.now, blockedMs) : tx.now,
      passStartedAt: locked.passStartedAt,
    });
    return { id, completed: false };
  }

  const lastPassFrom = addMs(createdAt, lastPassAfterMs);
  if (foundInPass === 0 && locked.passStartedAt >= lastPassFrom) {
    await tx.sql(completeStatement, [id]);
    return { id, completed: true };
  }

  // The next pass waits, because attempts that sent the old bytes may still be recorded.
  const nextPassAt =
    foundInPass > 0 ? addMs(tx.now, lastPassAfterMs) : laterOf(tx.now, lastPassFrom);
  await move(tx, id, {
    stage: stages[0]?.name ?? '',
    place: null,
    foundInPass: 0,
    counts,
    continueAt: nextPassAt,
    passStartedAt: nextPassAt,
  });
  return { id, completed: false };
}

function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function stagesOf(tx: Tx, { kind }: Locked): readonly Stage[] {
  return kind === 'account' ? accountStages(tx) : buyerStages;
}

/** Where an erasure goes on. */
interface Progress {
  readonly stage: string;
  readonly place: readonly string[] | null;
  readonly foundInPass: number;
  readonly counts: RowCounts;
  readonly continueAt: Date;
  readonly passStartedAt: Date;
}

async function move(tx: Tx, id: string, progress: Progress): Promise<void> {
  const { stage, place, foundInPass, counts, continueAt, passStartedAt } = progress;
  await tx.sql(moveStatement, [
    id,
    stage,
    place,
    foundInPass,
    JSON.stringify(counts),
    continueAt,
    passStartedAt,
  ]);
}

function addCounts(counts: RowCounts, added: RowCounts): RowCounts {
  const sum: Record<string, number> = { ...counts };
  for (const [table, rows] of Object.entries(added)) {
    if (rows > 0) sum[table] = (sum[table] ?? 0) + rows;
  }
  return sum;
}

function total(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, rows) => sum + rows, 0);
}

/** Carries the counts out of the transaction and rolls it back. */
class Counted extends Error {
  override readonly name = 'Counted';

  constructor(readonly counts: RowCounts) {
    super('The erasure was only counted.');
  }
}

const jobStatement = {
  name: 'erasure_count_job',
  // Workers skip a locked row, so none takes a step meanwhile.
  text: `
    select r.id, r.account_id as "accountId", r.kind, r.email, r.include_invoices as "includeInvoices"
      from erasure r where r.id = $1 for update`,
};

/**
 * Counts what one pass of an erasure would change, by table, and changes nothing. It runs the stages in one transaction
 * and rolls it back. Until then it holds the locks of the buyer's rows.
 * @throws DomainError validation_failed, not_found
 */
export async function countBuyerErasure(
  transact: Transact,
  input: BuyerErasureInput,
): Promise<RowCounts> {
  try {
    return await transact(async (tx) => {
      const { id } = await startBuyerErasure(tx, input, 'command');
      const job = await singleRow<ErasureJob>(tx, jobStatement, [id]);
      throw new Counted(await runStages(tx, job));
    });
  } catch (error) {
    if (error instanceof Counted) return error.counts;
    throw error;
  }
}

async function runStages(tx: Tx, job: ErasureJob): Promise<RowCounts> {
  let sum: RowCounts = {};
  for (const stage of buyerStages) {
    let place: readonly string[] | null = null;
    do {
      const { counts, next, isBlocked }: StepResult = await stage.run(tx, { job, place });
      sum = addCounts(sum, counts);
      // Rows that other sessions hold are not counted.
      place = isBlocked ? null : next;
    } while (place !== null);
  }
  return sum;
}
