import { DomainError, type Issue } from '../errors.js';
import { textIssues } from '../text-issues.js';
import { emailIssues } from '../email.js';
import type { Endpoint, SettableField } from './endpoint.entity.js';
import type { PrivateTargets } from '../private-targets.js';
import { endpointUrlIssues } from './endpoint-url.js';

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

/** Refuses a change of the notification address by the dashboard. */
export function emailNotChangeable(): DomainError {
  const detail = 'The dashboard cannot change notification_email after creation.';
  const param = 'notification_email';
  return new DomainError('forbidden', detail, [{ code: 'permission_missing', detail, param }]);
}
