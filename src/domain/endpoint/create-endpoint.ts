import { recordChange } from '../audit/record-change.js';
import { columnsOf, numbered, placeholdersOf } from '../columns.js';
import { DomainError, validationFailed } from '../errors.js';
import { lockAccountAndEntries, checkSubscription } from '../event-type/event-types.js';
import { makeId } from '../id.js';
import { storageProblem } from '../text-issues.js';
import type { Tx } from '../tx.js';
import type { EndpointWithSecret } from './change-endpoint.js';
import { settableFields, type EndpointView } from './endpoint.entity.js';
import { originOf } from './endpoint-changes.js';
import { type EndpointInput, inputIssues, withDefaults } from './endpoint-input.js';
import { endpointColumns } from './endpoints.js';
import { newSecret } from './secrets.js';

const inserted = ['id', 'accountId', ...settableFields, 'createdAt', 'updatedAt'] as const;

const insertStatement = numbered(
  'endpoint-insert',
  [...inserted, 'limit', 'secretId', 'keyId', 'sealed'],
  // Inserts nothing when the limit is reached. The lock on the account keeps the count valid.
  ($) => `with made as (
           insert into endpoint (${columnsOf(inserted)})
           select ${placeholdersOf(inserted, $)}
            where (select count(*) from (select from endpoint where account_id = ${$.accountId}
                      and deleted_at is null order by id desc limit ${$.limit}) e) < ${$.limit}
           returning *
         ), secret as (
           insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
           select ${$.secretId}, id, ${$.keyId}, ${$.sealed}::bytea, created_at from made
         )
         select ${endpointColumns} from made`,
);

/**
 * Creates an endpoint and returns it with its signing secret.
 * @throws DomainError validation_failed with all issues
 * @throws DomainError endpoint_limit_reached
 */
export async function createEndpoint(
  tx: Tx,
  account: string,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  const issues = inputIssues(input, tx.rules.privateTargets);
  const wanted = [...new Set(input.eventTypes)];
  const { endpointsPerAccount: limit } = tx.rules;
  const id = makeId('whs', tx.now);
  const { secret, ...sealedSecret } = newSecret(tx, id, tx.now);
  const insert = () =>
    tx.sql<EndpointView>(
      insertStatement,
      insertStatement.values({
        ...withDefaults(input),
        id,
        accountId: account,
        eventTypes: wanted,
        createdAt: tx.now,
        updatedAt: tx.now,
        limit,
        ...sealedSecret,
      }),
    );
  // Both go in one round trip: the insert runs after the lock. If its types are refused, the
  // transaction rolls back.
  const [entries, [endpoint]] = await Promise.all([
    lockAccountAndEntries(tx, account, wanted),
    issues.length === 0 && areStorable(wanted) ? insert() : [],
  ]);
  const { errors } = checkSubscription([], input.eventTypes, entries);
  const allIssues = [...issues, ...errors];
  if (allIssues.length > 0) throw validationFailed(allIssues);
  if (!endpoint) throw limitReached(limit);
  const changes = [{ field: 'url', to: originOf(input.url) }];
  recordChange(tx, { action: 'endpoint_created', account, resource: id, changes });
  return { endpoint, signingSecret: secret };
}

function areStorable(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => storageProblem(type) === undefined);
}

function limitReached(limit: number): DomainError {
  const formattedLimit = limit.toLocaleString('en');
  const detail = `The account has reached its limit of ${formattedLimit} endpoints. Delete one first.`;
  return new DomainError('endpoint_limit_reached', detail);
}
