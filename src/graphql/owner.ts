import { accountOf, assertAdministrator } from './access.js';
import type { Context } from './context.js';
import { createParameterDecorator, ID } from './type-graphql.js';

/**
 * Passes the account of a call, as {@link accountOf} returns it, after the permission was checked. It
 * adds the argument `account`, which only an internal credential needs.
 */
export function AccountId() {
  return account(() => undefined);
}

/** As {@link AccountId}, once {@link assertAdministrator} has admitted the caller. */
export function AdministeredAccount() {
  return account(assertAdministrator);
}

function account(check: (context: Context) => unknown) {
  return createParameterDecorator<Context>(
    async ({ context, args }) => {
      await check(context);
      return accountOf(context, args['account'] as string | null | undefined);
    },
    { arg: { name: 'account', typeFunc: () => ID, options: { nullable: true } } },
  );
}
