import type { Allowance } from '../../support/plans.js';

/** How many orders, each with a payment, the account with long books has. */
export const orders = 3_000;

/** What most of it may read. */
export const usual: Allowance = { rows: 300, blocks: 400 };
/** Of an endpoint with 210 pending deliveries, each found, looked at, deleted and its record closed: 20 pages. */
const cancelling: Allowance = { rows: 2_000, blocks: 8_000 };
const searching: Allowance = { rows: 10_300, blocks: 25_000 };
/** What may read more. */
export const more: Readonly<Record<string, Allowance>> = {
  // It counts endpoints up to the limit of 1,000.
  'webhooks.endpoints.create': { rows: 1_300, blocks: 1_500 },
  'webhooks.endpoints.update': cancelling,
  'webhooks.endpoints.event_subscriptions.update': cancelling,
  'webhooks.endpoints.delete': cancelling,
  // One page reads at most 10,000 records or events; each may be on a page of its own.
  'a delivery list is searched, by each filter and by what no index finds': searching,
  'a delivery’s events are searched and looked up': searching,
  'the audit log is listed, and searched by what no index finds': searching,
  // It looks up the newest 10,000 endpoints, and probes the statistics of each.
  'a delivery’s failures are counted by endpoint': { rows: 10_300, blocks: 60_000 },
  // As `/metrics` it counts up to 100,000 index entries; each may be on a page of its own.
  'the pages of operators read all counts, find accounts and look at one': {
    rows: 50_000,
    blocks: 60_000,
  },
  // For each event it finds the account, the type and the endpoints, and writes rows and indexes.
  '1,000 events are published at once, with keys and without': { rows: 12_000, blocks: 60_000 },
};
