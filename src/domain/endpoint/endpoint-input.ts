import type { ErrorEntry } from '../errors.js';
import { textFaults } from '../text.js';
import { emailFaults } from './email.js';
import type { PrivateTargets } from './private-targets.js';
import { checkTarget } from './target.js';

/** What an endpoint is made of; `active` is true unless it says otherwise (H2). */
export interface EndpointInput {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly notificationEmail: string;
  readonly active?: boolean | null | undefined;
  readonly description?: string | null | undefined;
}

/** What a change names; a member that is absent or undefined stays as it is (H18, H19). */
export type EndpointPatch = {
  readonly [Name in keyof EndpointInput]?: EndpointInput[Name] | null | undefined;
};

const descriptionLength = 500;

/**
 * The refusals of an endpoint's own fields, all at once (H3–H5); the subscription is judged apart.
 * @param nullable the fields in which null is a value
 */
export function fieldFaults(
  patch: EndpointPatch,
  nullable: readonly (keyof EndpointPatch)[],
  targets: PrivateTargets,
): ErrorEntry[] {
  const { url, notificationEmail, description } = patch;
  return [
    ...nullFaults(patch, nullable),
    ...(url == null ? [] : checkTarget(url, targets)),
    ...(notificationEmail == null ? [] : emailFaults('notification_email', notificationEmail)),
    ...(description == null
      ? []
      : textFaults('description', description, { max: descriptionLength })),
  ];
}

const spelling: Readonly<Record<keyof EndpointPatch, string>> = {
  url: 'url',
  eventTypes: 'event_types',
  notificationEmail: 'notification_email',
  active: 'active',
  description: 'description',
};

function nullFaults(
  patch: EndpointPatch,
  nullable: readonly (keyof EndpointPatch)[],
): ErrorEntry[] {
  const names = Object.keys(spelling) as (keyof EndpointPatch)[];
  return names
    .filter((name) => patch[name] === null && !nullable.includes(name))
    .map((name) => ({
      code: 'invalid_type',
      detail: 'Must not be null.',
      param: spelling[name],
    }));
}
