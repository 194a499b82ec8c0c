// The delivery options of an endpoint: how it gets its events, beyond its URL and its event types. All are optional,
// and none is part of the public interface.
//
// Each option is a nullable column of the endpoint, so endpoints without options cost nothing. Of its static headers it
// has the names only (headers.ts), and of its key pair nothing (key-pairs.ts). A change locks the row of the endpoint,
// and applies to deliveries that are created or claimed after it.
import type { FieldChange } from '../audit/audit-entry.entity.js';
import { recordChange } from '../audit/audit-log.js';
import { type Issue, validationFailed } from '../errors.js';
import { singleRow } from '../transaction/rows.js';
import { defaultSchedule, retrySchedules } from '../transaction/rules.js';
import { assignmentsOf, numbered, selectionOf, snakeCase } from '../transaction/sql.js';
import type { Read, Tx } from '../transaction/tx.js';
import { lockEndpoint, setUpdatedAt } from './change-endpoint.js';
import type { Endpoint, EndpointView, Ordering } from './endpoint.entity.js';
import { endpointColumns } from './endpoints.js';
import { filterIssue, filterPathOf, isProblem, parseFilter } from './filter.js';
import {
  type EndpointHeaders,
  headerFields,
  type HeaderInput,
  headerIssues,
  replaceHeaders,
  shownHeaders,
} from './headers.js';
import { publicKeysById, setKeyPair } from './key-pairs.js';
import type { PublicKey } from './secrets.js';

/** The columns of options that are their values. */
const valueFields = [
  'retrySchedule',
  'ordering',
  'filter',
] as const satisfies readonly (keyof Endpoint)[];

/** The columns of the options. */
const optionFields = [...valueFields, ...headerFields] as const;

type OptionValues = Readonly<Pick<Endpoint, (typeof valueFields)[number]>>;
type OptionColumns = Readonly<Pick<Endpoint, (typeof optionFields)[number]>>;

/** The delivery options of an endpoint. */
export interface EndpointOptions extends OptionValues {
  readonly headers: EndpointHeaders | null;
  /** The public keys whose private keys sign, the newest first; empty for none. */
  readonly publicKeys: readonly PublicKey[];
}

/** A change of options. An absent option stays as it is; null removes it. */
export interface EndpointOptionsPatch {
  /** The name of a schedule of the settings; `default` is the same as null. */
  readonly retrySchedule?: string | null | undefined;
  /** All static headers; an empty list removes them, too. */
  readonly headers?: readonly HeaderInput[] | null | undefined;
  /** Whether requests are also signed with a private key. */
  readonly publicKeySignature?: boolean | null | undefined;
  /** Events published from now on are sent in order; null also lets go what waits for its turn. */
  readonly ordering?: Ordering | null | undefined;
  /** Which events it gets, in the language of filter.ts. Deliveries that are pending stay. */
  readonly filter?: string | null | undefined;
}

/**
 * Returns the options of endpoints of any account, by id. Only for ids that were looked up within an account already.
 */
export async function optionsById(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointOptions>> {
  const rows = await read.sql<OptionColumns & Pick<Endpoint, 'id' | 'url'>>(findStatement, [ids]);
  const keys = await publicKeysById(read, ids);
  return new Map(
    rows.map((row) => {
      const { id, retrySchedule, ordering, filter } = row;
      const publicKeys = keys.get(id) ?? [];
      return [id, { retrySchedule, ordering, filter, headers: shownHeaders(row), publicKeys }];
    }),
  );
}

const findStatement = {
  name: 'endpoint-options-find',
  text: `select id, url, ${selectionOf(optionFields)} from endpoint where id = any ($1::text[])`,
};

/**
 * Changes the options in the patch.
 * @throws DomainError not_found; validation_failed with all issues
 */
export async function setEndpointOptions(
  tx: Tx,
  account: string,
  id: string,
  patch: EndpointOptionsPatch,
): Promise<EndpointView> {
  // An erasure locks the account before its endpoints, too.
  if (patch.filter != null) await tx.sql(accountStatement, [account]);
  const endpoint = await lockEndpoint(tx, account, id);
  const filter = patch.filter == null ? null : parseFilter(patch.filter);
  const issues = [
    ...retryScheduleIssues(tx, patch.retrySchedule),
    ...headerIssues(patch.headers ?? []),
    ...(filter && isProblem(filter) ? [filterIssue('filter', filter)] : []),
  ];
  if (issues.length > 0) throw validationFailed(issues);

  const before = await singleRow<OptionColumns>(tx, findOneStatement, [id]);
  const headers = await replaceHeaders(tx, { ...endpoint, ...before }, patch.headers);
  const publicKey = await setKeyPair(tx, id, patch.publicKeySignature);
  const after = { ...before, ...valuesAfter(before, patch), ...headers?.columns };
  const changes = [
    ...valueFields.flatMap((field) => changeOf(field, before, after)),
    ...(headers ? [headers.change] : []),
    ...(publicKey ? [publicKey] : []),
  ];
  if (changes.length === 0) return endpoint;

  recordChange(tx, { action: 'endpoint_options_changed', account, resource: id, changes });
  const filterPath = after.filter === null ? null : filterPathOf(after.filter);
  const values = updateStatement.values({ id, now: tx.now, ...after, filterPath });
  return singleRow<EndpointView>(tx, updateStatement, values);
}

/** Tells publishes to look for filters. It stays: an account that had a filter pays for the look. */
const accountStatement = {
  name: 'endpoint-options-account',
  text: `update account set has_filters = true where id = $1 and has_filters is not true`,
};

const findOneStatement = {
  name: 'endpoint-options-find-one',
  text: `select ${selectionOf(optionFields)} from endpoint where id = $1`,
};

const updateStatement = numbered(
  'endpoint-options-update',
  ['id', 'now', ...optionFields, 'filterPath'],
  ($) => `update endpoint set ${setUpdatedAt}, ${assignmentsOf(optionFields, $)},
           filter_path = ${$.filterPath}::jsonpath,
           filter_changed_at = case when filter is distinct from ${$.filter} then $2
                                    else filter_changed_at end
         where id = ${$.id} returning ${endpointColumns}`,
);

function retryScheduleIssues({ rules }: Tx, name: string | null | undefined): Issue[] {
  const names = retrySchedules(rules.retry).map((schedule) => schedule.name);
  if (name == null || names.includes(name)) return [];
  const detail = `Must be one of ${names.join(', ')}.`;
  return [{ code: 'invalid_value', detail, param: 'retrySchedule' }];
}

function valuesAfter(before: OptionValues, patch: EndpointOptionsPatch): OptionValues {
  const {
    retrySchedule = before.retrySchedule,
    ordering = before.ordering,
    filter = before.filter,
  } = patch;
  return {
    retrySchedule: retrySchedule === defaultSchedule ? null : retrySchedule,
    ordering,
    filter,
  };
}

function changeOf(
  field: keyof OptionValues,
  before: OptionValues,
  after: OptionValues,
): FieldChange[] {
  const [from, to] = [before[field], after[field]];
  if (from === to) return [];
  // A filter can have the address of a buyer.
  return [field === 'filter' ? { field } : { field: snakeCase(field), from, to }];
}
