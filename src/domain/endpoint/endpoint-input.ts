import type { Issue } from '../errors.js';
import { textIssues } from '../text-issues.js';
import { emailIssues } from '../email.js';
import type { Endpoint, SettableField } from './endpoint.entity.js';
import type { PrivateTargets } from '../private-targets.js';
import { endpointUrlIssues } from './endpoint-url.js';

/** What an endpoint is made of; `active` is true unless it says otherwise (H2). */
export interface EndpointInput {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly notificationEmail: string;
  readonly active?: boolean | null | undefined;
  readonly description?: string | null | undefined;
}

/** What the account sets of an endpoint. */
export type EndpointFields = Readonly<Pick<Endpoint, SettableField>>;

/** What a change names; a member that is absent or undefined stays as it is (H18, H19). */
export type EndpointPatch = {
  readonly [Name in keyof EndpointInput]?: EndpointInput[Name] | null | undefined;
};

/** What is to be known of a field that the account sets. */
interface Rule<Value> {
  /** As clients spell it. */
  readonly param: string;
  /** What it is unless the creation says otherwise; null can be set again later. */
  readonly initially?: Value;
  readonly issues?: (param: string, value: NonNullable<Value>, targets: PrivateTargets) => Issue[];
}

const descriptionLength = 500;

/** By field, in the order in which refusals name them; the subscription is judged apart. */
const rules: { readonly [Name in SettableField]: Rule<Endpoint[Name]> } = {
  url: { param: 'url', issues: (_param, url, targets) => endpointUrlIssues(url, targets) },
  eventTypes: { param: 'event_types' },
  notificationEmail: { param: 'notification_email', issues: emailIssues },
  active: { param: 'active', initially: true },
  description: {
    param: 'description',
    initially: null,
    issues: (param, text) => textIssues(param, text, { max: descriptionLength }),
  },
};

const fields = Object.keys(rules) as SettableField[];

/** The refusals of the fields of a new endpoint, all at once (H3–H5); null stands for the default. */
export function inputIssues(input: EndpointPatch, targets: PrivateTargets): Issue[] {
  return fieldIssues(input, ({ initially: value }) => value !== undefined, targets);
}

/** The refusals of a change, all at once; null is a value where it is the default. */
export function patchIssues(patch: EndpointPatch, targets: PrivateTargets): Issue[] {
  return fieldIssues(patch, ({ initially: value }) => value === null, targets);
}

/** The fields of a new endpoint, what was not given filled in. */
export function initially(input: EndpointInput): EndpointFields {
  return toEndpointFields((name) => input[name] ?? rules[name].initially);
}

/** The fields of an endpoint after a change without faults. */
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
  nullable: (rule: Pick<Rule<unknown>, 'initially'>) => boolean,
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
