import type { offerQuery, orderQuery, paymentQuery } from '../../generated/documents.js';
import type { SaleRow } from '../commerce/sale-list.js';
import { hiddenText, longText } from './sample-texts.js';
import { minutesAgo } from './sample-times.js';

export const totals: orderQuery['order']['totals'] = {
  currency: 'EUR',
  subtotalMinorUnits: 8_000,
  discountMinorUnits: 500,
  shippingMinorUnits: 490,
  taxMinorUnits: 1_598,
  totalMinorUnits: 9_588,
};

export const lineItems: orderQuery['order']['lineItems'] = [
  ['Poster', 2, 2_500],
  [longText, 1, 3_000],
].map(([name, quantity, each]) => ({
  product: { name: String(name) },
  quantity: Number(quantity),
  unitAmountMinorUnits: Number(each),
  discountMinorUnits: 0,
  totalMinorUnits: Number(quantity) * Number(each),
}));

export const saleRows: readonly SaleRow[] = [
  {
    id: 'off_1',
    title: 'Posters for the fair',
    detail: 'ada@example.com',
    status: 'sent',
    minorUnits: 958_800,
    currency: 'EUR',
    at: minutesAgo(7),
  },
  {
    id: 'off_2',
    title: hiddenText,
    detail: longText,
    status: 'accepted',
    minorUnits: 1_200,
    currency: 'JPY',
    at: minutesAgo(3_000),
  },
  {
    id: 'off_3',
    title: ' ',
    detail: 'grace@example.com',
    minorUnits: -500,
    currency: 'USD',
    at: minutesAgo(9_000),
  },
];

export const offer: offerQuery['offer'] = {
  id: 'off_1',
  title: 'Posters for the fair',
  message: null,
  status: 'draft',
  recipientEmail: 'ada@example.com',
  offerUrl: 'https://example.com/offer',
  order: null,
  sendCount: 0,
  createdAt: minutesAgo(60),
  sentAt: null,
  acceptedAt: null,
  cancelledAt: null,
  expiresAt: minutesAgo(-9_000),
  lineItems,
  totals,
};

export const payment: paymentQuery['payment'] = {
  id: 'pay_1',
  order: 'ord_1',
  status: 'partially_refunded',
  currency: 'EUR',
  amountMinorUnits: 9_588,
  refundedMinorUnits: 588,
  feeMinorUnits: 120,
  netMinorUnits: 8_880,
  method: 'card',
  buyerEmail: 'ada@example.com',
  createdAt: minutesAgo(60),
  cashFlowAt: null,
};
