import type { Issue } from '../errors.js';
import { roleIssues } from './accounts.js';
import {
  type Area,
  type KeyLevel,
  keyLevels,
  type Level,
  levels,
  type Role,
  type StoredLevels,
} from './permission.js';
import { type CredentialKind, credentialKinds } from './token.js';

/** What a credential is made of; without a member one of that role is made. */
export interface CredentialInput {
  readonly account: string;
  readonly kind: CredentialKind;
  readonly member?: string | null | undefined;
  /** Default owner; with a member it must be the member's own. */
  readonly role?: Role | null | undefined;
  /** Defaults to full, and to restricted when an area has a level of its own. */
  readonly level?: KeyLevel | null | undefined;
  /** Defaults to none when the other area has a level of its own. */
  readonly webhooks?: Level | null | undefined;
  /** Defaults to none when the other area has a level of its own. */
  readonly orders?: Level | null | undefined;
}

/** The level as it is stored: areas have levels of their own on restricted keys only. */
export function toStoredLevels({ level, webhooks, orders }: CredentialInput): StoredLevels {
  if (!webhooks && !orders) {
    return { level: level ?? 'full', webhooksLevel: null, ordersLevel: null };
  }
  const [webhooksLevel, ordersLevel] = [webhooks ?? 'none', orders ?? 'none'];
  return { level: 'restricted', webhooksLevel, ordersLevel };
}

/** What is wrong with the kind, role and levels of a credential that is to be made. */
export function credentialIssues(input: CredentialInput): Issue[] {
  const { kind, role, level } = input;
  const restrictedAreas = (['webhooks', 'orders'] satisfies Area[]).filter((area) => input[area]);
  return [
    ...choiceIssues('kind', kind, credentialKinds),
    ...(role ? roleIssues(role) : []),
    ...(level ? choiceIssues('level', level, keyLevels) : []),
    ...restrictedAreas.flatMap((area) => choiceIssues(area, input[area] ?? '', levels)),
    ...restrictionIssues(input, restrictedAreas.length > 0),
  ];
}

function restrictionIssues({ kind, level }: CredentialInput, restricted: boolean): Issue[] {
  if (!restricted) {
    if (level !== 'restricted') return [];
    const detail = 'A restricted key needs a level for webhooks, for orders or for both.';
    return [{ code: 'invalid_value', detail, param: 'level' }];
  }
  if (kind === 'internal') {
    const detail = 'An internal credential has every permission and cannot be restricted.';
    return [{ code: 'invalid_value', detail, param: 'kind' }];
  }
  if (level !== 'full' && level !== 'read') return [];
  const detail = 'A restricted key takes no level of its own. Leave the level out.';
  return [{ code: 'invalid_value', detail, param: 'level' }];
}

function choiceIssues(param: string, value: string, choices: readonly string[]): Issue[] {
  if (choices.includes(value)) return [];
  return [{ code: 'invalid_value', detail: `Must be one of: ${choices.join(', ')}.`, param }];
}
