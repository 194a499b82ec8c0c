import type { TestDatabase } from './database.js';
import type { Tenant } from './tenants.js';

/** Makes a checkout of the account with the internal API; `changes` win. @returns its id */
export async function createCheckout(tenant: Tenant, changes: object = {}): Promise<string> {
  const { createCheckout: made } = await tenant.graphql<{ createCheckout: { id: string } }>(
    'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { id } }',
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

/** What became of a payment. */
export interface MadePayment {
  readonly order: { readonly id: string };
  readonly payment: { readonly id: string };
  readonly invoice: { readonly id: string };
  readonly thankYouUrl: string;
}

/** Records that the buyer's payment of a checkout succeeded, as the platform does. */
export async function payCheckout(
  tenant: Tenant,
  checkout: string,
  changes: object = {},
): Promise<MadePayment> {
  const { recordPayment } = await tenant.graphql<{ recordPayment: MadePayment }>(
    `mutation ($input: RecordPaymentInput!) {
      recordPayment(input: $input) {
        order { id } payment { id } invoice { id } thankYouUrl } }`,
    {
      input: { account: tenant.account, checkout, buyerEmail: 'buyer@example.com', ...changes },
    },
  );
  return recordPayment;
}

/** Moves a checkout in time, so that it expires so many milliseconds from here. */
export async function expireIn(database: TestDatabase, id: string, ms: number): Promise<void> {
  await database.query(
    // Cut, because a column of milliseconds rounds: what has just expired would expire in a moment.
    `update checkout
        set expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond',
            created_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond'
                         - interval '30 minutes'
      where id = $1`,
    [id, ms],
  );
}

/** Makes a checkout of `changes` and lets it be paid. */
export async function makeOrder(tenant: Tenant, changes: object = {}): Promise<MadePayment> {
  return payCheckout(tenant, await createCheckout(tenant, changes));
}
