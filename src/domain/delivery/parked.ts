import { notFound } from '../errors.js';
import type { Read, Statement, Tx } from '../tx.js';
import { interruptionsBeforeAlone } from './promote.js';

const askedStatement: Statement = {
  name: 'chain_alone_asked',
  text: `
    select from chain c
      cross join lateral (
        select from endpoint e
         where e.id = c.endpoint_id and e.active and e.deleted_at is null
           and e.cancelling_since is null and (c.test or c.event_type = any (e.event_types))
         limit 1) e
     where c.ready and c.lane = 'alone' limit 1`,
};

/** Whether a chain is ready that is to be sent while its process does nothing else. */
export async function aloneAsked(read: Read): Promise<boolean> {
  const found = await read.sql(askedStatement, []);
  return found.length > 0;
}

/** A chain that no worker claims, because processes ended while they sent nothing else. */
export interface ParkedChain {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The attempt that never ended. */
  readonly attempt: number;
  readonly replayedFrom: string | null;
  readonly reason: string;
  /** When the lease of its last claim ended. */
  readonly since: Date;
}

const columns = `c.id, c.account_id as "accountId", c.endpoint_id as "endpointId",
           c.event_id as "eventId", c.event_type as "eventType", c.attempt,
           c.replayed_from as "replayedFrom", c.parked_reason as reason, c.due_at as since`;

/** Further ones are listed when these are released. */
const listLimit = 100;

const listStatement: Statement = {
  name: 'chain_parked_list',
  text: `
    select ${columns}
      from chain c where c.parked_reason is not null order by c.id limit ${listLimit}`,
};

/** The parked chains of all accounts, oldest first, at most 100. */
export function listParked(read: Read): Promise<ParkedChain[]> {
  return read.sql<ParkedChain>(listStatement, []);
}

const releaseStatement: Statement = {
  name: 'chain_parked_release',
  text: `
    with parked as (
      select c.* from chain c where c.id = $1 and c.parked_reason is not null for update
    ), released as (
      update chain c
         set parked_reason = null, ready = true, due_at = now(), interruptions = $2
       where c.id = any (array(select p.id from parked p))
    )
    select ${columns} from parked c`,
};

/**
 * Lets a parked chain be claimed again, for an operator who has mended what ended the processes; it
 * runs alone until an attempt of it is settled.
 * @returns what was known of it while it was parked
 * @throws DomainError not_found when no such chain is parked
 */
export async function releaseParked(tx: Tx, chainId: string): Promise<ParkedChain> {
  const [released] = await tx.sql<ParkedChain>(releaseStatement, [
    chainId,
    interruptionsBeforeAlone,
  ]);
  if (!released) throw notFound('parked chain');
  return released;
}
