// Who may call what. `@Authorized` checks the permission of an operation before its resolver runs; `@AccountId()`
// then passes the account that the call is about. What a permission cannot say, such as "owners and admins only",
// a resolver checks itself, with a function of this file. Nothing is looked up before the check has passed.
import type { AuthCheckerFn } from 'type-graphql';
import { getAccount, getMember } from '../domain/account/accounts.js';
import { isPortalSession } from '../domain/account/credentials.js';
import { allows, type Area } from '../domain/account/permission.js';
import { DomainError, validationFailed } from '../domain/errors.js';
import { isId } from '../domain/values/id.js';
import type { Context } from './context.js';
import { authorized, createParameterDecorator, ID } from './type-graphql.js';

/** The permission an operation requires, as on `/v1`; or `internal` for an internal credential. */
export type RequiredPermission = `${Area}:${'read' | 'write'}` | 'internal';

/** Decorates an operation or a field that requires a permission. */
export const Authorized = authorized<RequiredPermission>;

/** The error for a missing permission. */
export function forbidden(detail: string): DomainError {
  return new DomainError('forbidden', detail, [{ code: 'permission_missing', detail }]);
}

/**
 * Checks `@Authorized(required)` for `/graphql` and `/v1`. An internal credential may do
 * everything. Other credentials have the current permissions of their level and role.
 * @throws DomainError forbidden
 */
export const authChecker: AuthCheckerFn<Context, RequiredPermission> = ({ context }, required) => {
  for (const permission of required) assertPermission(context, permission);
  return true;
};

/**
 * Checks a permission that an operation requires only with some arguments.
 * @throws DomainError forbidden
 */
export function assertPermission({ viewer }: Context, permission: RequiredPermission): void {
  if (viewer.kind === 'internal') return;
  if (permission === 'internal') throw forbidden('This operation requires an internal credential.');
  const [area, level] = permission.split(':') as [Area, 'read' | 'write'];
  if (!allows(viewer, area, level)) {
    throw forbidden(`This operation requires the \`${area}\` permission at ${level} level.`);
  }
}

/**
 * Checks that the caller is an operator, or has a session of an owner or an admin. API keys and dashboard tokens
 * do not administer an account: a leaked one could create others.
 * @returns the id of the member; null for an operator
 * @throws DomainError forbidden
 */
export async function assertAdministrator({ viewer, read }: Context): Promise<string | null> {
  if (viewer.kind === 'internal') return null;
  if (isId('ses', viewer.credential) && viewer.member !== null) {
    const { role } = await getMember(read, viewer.account, viewer.member);
    if (role === 'owner' || role === 'admin') return viewer.member;
  }
  throw forbidden('This operation requires a session of an owner or an admin.');
}

/**
 * Returns the member who calls, for operations on the member's own data. A portal session acts in a page of
 * another site, so it must not end sessions of its member.
 * @throws DomainError forbidden
 */
export function memberOf({ viewer }: Context): string {
  if (viewer.member !== null && !isPortalSession(viewer)) return viewer.member;
  throw forbidden('This operation is not for portal sessions.');
}

/**
 * Returns the account that a call is about: the caller's own, or the one that an internal credential names.
 * @throws DomainError forbidden when another account is named, validation_failed when an internal
 *   credential names none, not_found when the account does not exist
 */
export async function accountOf({ viewer, read }: Context, named?: string | null): Promise<string> {
  if (viewer.kind !== 'internal') {
    if (named == null || named === viewer.account) return viewer.account;
    throw forbidden('This credential can act only for its own account.');
  }
  if (named == null) {
    const detail = 'An internal credential must name the account.';
    throw validationFailed([{ code: 'required', detail, param: 'account' }]);
  }
  return (await getAccount(read, named)).id;
}

/**
 * Decorates a parameter: passes the account as {@link accountOf} returns it, after the permission was checked.
 * Adds the argument `account`, which only an internal credential needs.
 */
export function AccountId() {
  return accountParameter(() => undefined);
}

/** Like {@link AccountId}, for operations that require an administrator ({@link assertAdministrator}). */
export function AdministeredAccount() {
  return accountParameter(assertAdministrator);
}

function accountParameter(check: (context: Context) => unknown) {
  return createParameterDecorator<Context>(
    async ({ context, args }) => {
      await check(context);
      return accountOf(context, args['account'] as string | null | undefined);
    },
    { arg: { name: 'account', typeFunc: () => ID, options: { nullable: true } } },
  );
}
