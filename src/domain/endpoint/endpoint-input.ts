import type { FieldChange } from '../audit/audit-entry.entity.js';
import { DomainError, type Issue } from '../errors.js';
import { checkSubscription, readCatalogueEntries } from '../event-type/event-types.js';
import type { Read } from '../transaction/tx.js';
import { emailIssues } from '../values/email.js';
import type { PrivateTargets } from '../values/private-targets.js';
import { singleLineIssues, textIssues } from '../values/text.js';
import { endpointUrlIssues } from './endpoint-url.js';
import type { Endpoint, SettableField } from './endpoint.entity.js';
import { getEndpoint } from './endpoints.js';

/** The fields of a new endpoint. `active` defaults to true. */
export interface EndpointInput {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly notificationEmail: string;
  readonly active?: boolean | null | undefined;
  readonly description?: string | null | undefined;
}

/** The fields of an endpoint that its account sets. */
export type EndpointFields = Readonly<Pick<Endpoint, SettableField>>;

/** The fields of a change. An absent or undefined member stays as it is. */
export type EndpointPatch = {
  readonly [Name in keyof EndpointInput]?: EndpointInput[Name] | null | undefined;
};

/** How a field that the account sets is validated. */
interface Rule<Value> {
  /** The name of the field in requests. */
  readonly param: string;
  /** Defaults to this value at creation. If it is null, a change may set null again. */
  readonly defaultValue?: Value;
  readonly issues?: (param: string, value: NonNullable<Value>, targets: PrivateTargets) => Issue[];
}

const descriptionLength = 500;

/** By field, in the order of the issues. `checkSubscription` validates the event types. */
const rules: { readonly [Name in SettableField]: Rule<Endpoint[Name]> } = {
  url: { param: 'url', issues: (_param, url, targets) => endpointUrlIssues(url, targets) },
  eventTypes: { param: 'event_types' },
  notificationEmail: { param: 'notification_email', issues: emailIssues },
  active: { param: 'active', defaultValue: true },
  description: {
    param: 'description',
    defaultValue: null,
    issues: (param, text) => textIssues(param, text, { max: descriptionLength }),
  },
};

const fields = Object.keys(rules) as SettableField[];

/** Validates the fields of a new endpoint and returns all issues. Null stands for the default. */
export function inputIssues(input: EndpointPatch, targets: PrivateTargets): Issue[] {
  return fieldIssues(input, ({ defaultValue }) => defaultValue !== undefined, targets);
}

/** Validates a change and returns all issues. Null is valid only where it is the default. */
export function patchIssues(patch: EndpointPatch, targets: PrivateTargets): Issue[] {
  return fieldIssues(patch, ({ defaultValue }) => defaultValue === null, targets);
}

/** Fills in the defaults of a new endpoint. */
export function withDefaults(input: EndpointInput): EndpointFields {
  return toEndpointFields((name) => input[name] ?? rules[name].defaultValue);
}

/** Applies a valid change to the fields of an endpoint. */
export function applyPatch(before: EndpointFields, patch: EndpointPatch): EndpointFields {
  return toEndpointFields((name) => (patch[name] === undefined ? before[name] : patch[name]));
}

function toEndpointFields(valueOf: (name: SettableField) => unknown): EndpointFields {
  return Object.fromEntries(
    fields.map((name) => [name, valueOf(name)]),
  ) as unknown as EndpointFields;
}

function fieldIssues(
  patch: EndpointPatch,
  nullable: (rule: Pick<Rule<unknown>, 'defaultValue'>) => boolean,
  targets: PrivateTargets,
): Issue[] {
  const nulls = fields.filter((name) => patch[name] === null && !nullable(rules[name]));
  return [
    ...nulls.map((name) => notNull(rules[name].param)),
    ...fields.flatMap((name) => {
      const { param, issues } = rules[name] as Rule<unknown>;
      const value = patch[name];
      return value == null ? [] : (issues?.(param, value, targets) ?? []);
    }),
  ];
}

function notNull(param: string): Issue {
  return { code: 'invalid_type', detail: 'Must not be null.', param };
}

/**
 * Validates fields of an endpoint and returns all issues, without changing anything; for a request
 * that is refused for another reason anyway. Absent fields are not validated.
 * @param id the endpoint that would be changed; undefined for a new one
 * @throws DomainError not_found
 */
export async function validateEndpoint(
  read: Read,
  account: string,
  id: string | undefined,
  fields: EndpointPatch,
): Promise<Issue[]> {
  const { eventTypes } = fields;
  const issues = patchIssues(fields, read.rules.privateTargets);
  if (eventTypes == null) return issues;
  const current = id === undefined ? [] : (await getEndpoint(read, account, id)).eventTypes;
  const entries = await readCatalogueEntries(read, eventTypes);
  return [...issues, ...checkSubscription(current, eventTypes, entries).errors];
}

/** Refuses a change of the notification address by the dashboard. */
export function emailNotChangeable(): DomainError {
  const detail = 'The dashboard cannot change notification_email after creation.';
  const param = 'notification_email';
  return new DomainError('forbidden', detail, [{ code: 'permission_missing', detail, param }]);
}

/** Why a person disables an endpoint, in that person's words. */
export type DisablingReason = string | null | undefined;

const reasonParam = 'reason';
const maxReasonLength = 200;

/** An @ with a character before and after it, also percent-encoded: what the erasure of a buyer looks for. */
const addressPattern = /\S(?:@|%40)\S/i;

/**
 * Validates the reason of a change that sets `active` to this value. The audit log is kept for a year and
 * never changed. So the reason must not have an e-mail address that an erasure would have to find.
 */
export function disablingReasonIssues(
  reason: DisablingReason,
  active: boolean | null | undefined,
): Issue[] {
  const text = reason?.trim() ?? '';
  if (text === '') return [];
  if (active !== false) {
    const detail = 'Must be absent, unless the change sets active to false.';
    return [{ code: 'invalid_value', detail, param: reasonParam }];
  }
  const issues = singleLineIssues(reasonParam, text, { max: maxReasonLength });
  if (issues.length > 0 || !addressPattern.test(text)) return issues;
  return [
    { code: 'invalid_value', detail: 'Must not have an e-mail address.', param: reasonParam },
  ];
}

/** Returns what the audit log keeps of a valid reason. */
export function disablingReasonChanges(reason: DisablingReason): FieldChange[] {
  const text = reason?.trim() ?? '';
  return text === '' ? [] : [{ field: reasonParam, to: text }];
}
