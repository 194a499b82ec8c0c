import { DomainError, notFound } from '../errors.js';
import type { Read, Statement, Tx } from '../tx.js';
import { interruptionsBeforeAlone } from './promote.js';
import { lockReplays } from './replay.js';

const askedStatement: Statement = {
  name: 'chain_alone_asked',
  text: `
    select from chain c
      cross join lateral (select * from endpoint e where e.id = c.endpoint_id limit 1) e
     where c.ready and c.lease_token is null and c.lane = 'alone'
       and e.active and e.deleted_at is null and e.cancelling_since is null
       and (c.test or c.event_type = any (e.event_types)) limit 1`,
};

/** Whether a chain is ready that is to be sent while its process does nothing else. */
export async function aloneAsked(read: Read): Promise<boolean> {
  const found = await read.sql(askedStatement, []);
  return found.length > 0;
}

/** A chain that no worker claims until an operator releases it. */
export interface ParkedChain {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Number of the attempt that never ended. */
  readonly attempt: number;
  readonly replayedFrom: string | null;
  readonly reason: string;
  /** When it was parked. */
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

const lockStatement: Statement = {
  name: 'chain_parked_lock',
  text: `select ${lockReplays('c')} from chain c where c.id = $1 and c.replayed_from is not null`,
};

const findStatement: Statement = {
  name: 'chain_parked_find',
  text: `
    select ${columns},
           exists (select from event v where v.id = c.event_id) as sendable,
           c.replayed_from is not null and c.attempt = 1 and exists (
             select from chain o
              where o.endpoint_id = c.endpoint_id and o.event_id = c.event_id
                and o.replayed_from is not null and o.attempt = 1
                and o.parked_reason is null) as "replayedBeside"
      from chain c where c.id = $1 and c.parked_reason is not null for update of c`,
};

interface Found extends ParkedChain {
  readonly sendable: boolean;
  readonly replayedBeside: boolean;
}

const releaseStatement: Statement = {
  name: 'chain_parked_release',
  text: `
    update chain
       set parked_reason = null, ready = true, due_at = now(), interruptions = $2
     where id = $1`,
};

/**
 * Lets a parked chain be claimed again, for an operator who has mended what it was parked for; one
 * that ran alone does so until an attempt of it is settled.
 * @returns what was known of it while it was parked
 * @throws DomainError not_found when no such chain is parked; delivery_not_replayable
 * (`payload_expired`); delivery_in_progress while another replay of its event to its endpoint runs
 */
export async function releaseParked(tx: Tx, chainId: string): Promise<ParkedChain> {
  await tx.sql(lockStatement, [chainId]);
  const [found] = await tx.sql<Found>(findStatement, [chainId]);
  if (!found) throw notFound('parked chain');
  const { sendable, replayedBeside, ...parked } = found;
  if (!sendable) {
    const detail = 'The event is past retention.';
    throw new DomainError('delivery_not_replayable', detail, [{ code: 'payload_expired', detail }]);
  }
  if (replayedBeside) {
    const detail = 'Another replay of this event to this endpoint is running.';
    throw new DomainError('delivery_in_progress', detail, undefined, 15);
  }
  await tx.sql(releaseStatement, [chainId, interruptionsBeforeAlone]);
  return parked;
}
