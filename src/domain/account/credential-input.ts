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

/** The input of a new credential. */
export interface CredentialInput {
  readonly account: string;
  readonly kind: CredentialKind;
  /** Defaults to a new member with `role`. */
  readonly member?: string | null | undefined;
  /** Defaults to owner. With `member` it must be that member's role. */
  readonly role?: Role | null | undefined;
  /** Defaults to full; to restricted when `webhooks` or `orders` is given. */
  readonly level?: KeyLevel | null | undefined;
  /** Defaults to none when `orders` is given. */
  readonly webhooks?: Level | null | undefined;
  /** Defaults to none when `webhooks` is given. */
  readonly orders?: Level | null | undefined;
}

/** Returns the levels to store: only restricted keys have a level for each area. */
export function toStoredLevels({ level, webhooks, orders }: CredentialInput): StoredLevels {
  if (!webhooks && !orders) {
    return { level: level ?? 'full', webhooksLevel: null, ordersLevel: null };
  }
  const webhooksLevel = webhooks ?? 'none';
  const ordersLevel = orders ?? 'none';
  return { level: 'restricted', webhooksLevel, ordersLevel };
}

/** Validates the kind, role and levels of a new credential. */
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
