import { singleRow } from '../rows.js';
import type { Transact, Tx } from '../tx.js';
import { buyerStages } from './buyer-stages.js';
import type { ErasureJob, RowCounts } from './stage.js';
import { type BuyerErasureInput, startBuyerErasure } from './start-erasure.js';

/** Carries the counts out of the transaction, which is rolled back. */
class Counted extends Error {
  override readonly name = 'Counted';

  constructor(readonly counts: RowCounts) {
    super('The erasure was only counted.');
  }
}

const jobStatement = {
  name: 'erasure_count_job',
  // Workers skip a row that is locked, so none takes a step meanwhile.
  text: `
    select r.id, r.account_id as "accountId", r.kind, r.email, r.include_invoices as "includeInvoices"
      from erasure r where r.id = $1 for update`,
};

/**
 * Counts what one pass of an erasure would change now, by table, and changes nothing. It runs the
 * stages in one transaction and rolls it back: until then it holds locks of the rows of the buyer.
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
  const sum: Record<string, number> = {};
  for (const stage of buyerStages) {
    let place: readonly string[] | null = null;
    do {
      const step = await stage.run(tx, job, place);
      for (const [table, rows] of Object.entries(step.counts))
        if (rows > 0) sum[table] = (sum[table] ?? 0) + rows;
      // What others hold is not counted.
      place = step.isBlocked ? null : step.next;
    } while (place !== null);
  }
  return sum;
}
