import { columnsOf, numbered, placeholdersOf } from '../columns.js';
import { DomainError, validationFailed } from '../errors.js';
import { lockAccountAndEntries } from '../event/event-types.js';
import { checkSubscription } from '../event/subscription-rule.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';
import type { EndpointWithSecret } from './change-endpoint.js';
import { settableFields, type EndpointView } from './endpoint.entity.js';
import { type EndpointInput, inputIssues, withDefaults } from './endpoint-input.js';
import { endpointColumns } from './endpoints.js';
import { addSecret } from './secrets.js';

const inserted = ['id', 'accountId', ...settableFields, 'createdAt', 'updatedAt'] as const;

const insertStatement = numbered(
  'endpoint-insert',
  [...inserted, 'limit'],
  // Inserts nothing when the limit is reached. The lock on the account keeps the count valid.
  ($) => `insert into endpoint (${columnsOf(inserted)})
         select ${placeholdersOf(inserted, $)}
          where (select count(*) from (select from endpoint where account_id = ${$.accountId}
                    and deleted_at is null order by id desc limit ${$.limit}) e) < ${$.limit}
         returning ${endpointColumns}`,
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
  const entries = await lockAccountAndEntries(tx, account, wanted);
  const { types, errors } = checkSubscription([], input.eventTypes, entries);
  const allIssues = [...issues, ...errors];
  if (allIssues.length > 0) throw validationFailed(allIssues);
  const { endpointsPerAccount } = tx.rules;
  const id = makeId('whs', tx.now);
  const values = insertStatement.values({
    ...withDefaults(input),
    ...{ id, accountId: account, eventTypes: types, createdAt: tx.now, updatedAt: tx.now },
    limit: endpointsPerAccount,
  });
  const [endpoint] = await tx.sql<EndpointView>(insertStatement, values);
  if (!endpoint) throw limitReached(endpointsPerAccount);
  return { endpoint, signingSecret: await addSecret(tx, id, tx.now) };
}

function limitReached(limit: number): DomainError {
  const formattedLimit = limit.toLocaleString('en');
  const detail = `The account has reached its limit of ${formattedLimit} endpoints. Delete one first.`;
  return new DomainError('endpoint_limit_reached', detail);
}
