import type { TestDatabase } from './database.js';
import type { Tenant } from './tenants.js';

/** Creates a checkout with the internal API; `changes` override the defaults. @returns its id */
export async function createCheckout(tenant: Tenant, changes: object = {}): Promise<string> {
  const { createCheckout: made } = await tenant.graphql<{ createCheckout: { id: string } }>(
    'createCheckout',
    {
      input: {
        account: tenant.account,
        currency: 'EUR',
        successUrl: 'https://shop.example.com/thanks',
        lineItems: [{ name: 'Poster', quantity: 1, unitAmountMinorUnits: 1_900 }],
        ...changes,
      },
    },
  );
  return made.id;
}

/** The objects that a payment created. */
export interface MadePayment {
  readonly order: { readonly id: string };
  readonly payment: { readonly id: string };
  readonly invoice: { readonly id: string };
  readonly thankYouUrl: string;
}

/** Records a successful payment of a checkout, as the platform does. */
export async function payCheckout(
  tenant: Tenant,
  checkout: string,
  changes: object = {},
): Promise<MadePayment> {
  const { recordPayment } = await tenant.graphql<{ recordPayment: MadePayment }>('recordPayment', {
    input: { account: tenant.account, checkout, buyerEmail: 'buyer@example.com', ...changes },
  });
  return recordPayment;
}

/** Moves a checkout in time, so that it expires in `ms` from now. */
export async function expireIn(database: TestDatabase, id: string, ms: number): Promise<void> {
  await database.query(
    // Truncated, because a column of milliseconds rounds up: the checkout would not be expired yet.
    `update checkout
        set expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond',
            created_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond'
                         - interval '30 minutes'
      where id = $1`,
    [id, ms],
  );
}

/** Creates a checkout with `changes` and pays it. */
export async function makeOrder(tenant: Tenant, changes: object = {}): Promise<MadePayment> {
  return payCheckout(tenant, await createCheckout(tenant, changes));
}
