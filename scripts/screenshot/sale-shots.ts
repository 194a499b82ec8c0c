import {
  createCheckout,
  type MadePayment,
  payCheckout,
  offerInput,
  offersPath,
} from '../../test/support/sales.js';
import type { Tenant } from '../../test/support/tenants.js';
import type { Shot } from './dashboard-shots.js';

/** Shots of sales, by the ids of an order and of its payment. */
export const saleShots: readonly Shot[] = [
  {
    name: 'orders',
    path: () => '/orders',
    ready: (page) => page.getByText('Grace Hopper').first().waitFor(),
  },
  {
    name: 'order-dark',
    path: (order) => `/orders/${order}`,
    dark: true,
    ready: (page) => page.getByText('Total', { exact: true }).waitFor(),
  },
  {
    name: 'refund',
    path: (_, payment) => `/payments/${payment}`,
    async ready(page) {
      await page.getByRole('button', { name: 'Refund' }).click();
      await page.getByLabel('Amount in EUR').fill('19.00');
    },
  },
  {
    name: 'payment-320',
    path: (_, payment) => `/payments/${payment}`,
    width: 320,
    ready: (page) => page.getByText('Left to refund').waitFor(),
  },
];

/** Shots of what buyers get, by the ids of an invoice and of an offer. */
export const documentShots: readonly Shot[] = [
  {
    name: 'invoice',
    path: (invoice) => `/invoices/${invoice}`,
    ready: (page) => page.getByText('Total', { exact: true }).waitFor(),
  },
  {
    name: 'offer',
    path: (_, offer) => `/offers/${offer}`,
    ready: (page) => page.getByRole('button', { name: 'Send' }).first().waitFor(),
  },
];

/** Makes an offer that is not sent yet. @returns its id */
export async function makeDraftOffer({ rest }: Tenant): Promise<string> {
  const { body } = await rest.post(
    offersPath,
    offerInput({
      title: 'Five prints for the lobby',
      recipient_email: 'grace@example.com',
      line_items: [
        { name: 'Matterhorn at dawn, 50 × 70 cm', quantity: 5, unit_amount_minor_units: 1_900 },
      ],
    }),
  );
  return (body as { readonly data: { readonly id: string } }).data.id;
}

/** Makes five orders. @returns the newest one */
export async function makeSales(tenant: Tenant): Promise<MadePayment> {
  const order = async (buyerName: string, changes: object) => {
    const checkout = await createCheckout(tenant, {
      lineItems: [
        { name: 'Matterhorn at dawn, 50 × 70 cm', quantity: 2, unitAmountMinorUnits: 1_900 },
        { name: 'Frame, oak', quantity: 1, unitAmountMinorUnits: 3_450 },
      ],
      ...changes,
    });
    const buyerEmail = `${buyerName.split(' ')[0]?.toLowerCase()}@example.com`;
    return payCheckout(tenant, checkout, { buyerName, buyerEmail, buyerCountry: 'CH' });
  };

  await order('Katherine Johnson', { externalReference: 'cart-1039', currency: 'USD' });
  await order('Barbara Liskov', { externalReference: 'cart-1040' });
  await order('Alan Turing', { externalReference: 'cart-1041', currency: 'JPY' });
  await order('Ada Lovelace', { externalReference: 'cart-1042', currency: 'CHF' });

  return order('Grace Hopper', { externalReference: 'cart-1043', shippingMinorUnits: 690 });
}
