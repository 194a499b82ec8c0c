import type { Page } from 'playwright-core';

/** An image of one view. */
export interface Shot {
  readonly name: string;
  /** Its path below /dashboard, by the ids of an endpoint, and of an attempt or a recovery. */
  readonly path: (endpoint: string, other: string) => string;
  readonly width?: number;
  readonly dark?: boolean;
  /** Shows the page to its end. */
  readonly whole?: boolean;
  /** Waits until the view is there, or opens what belongs to it. */
  readonly ready: (page: Page) => Promise<void>;
}

const shown = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

const listed = async (page: Page) => {
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'offer.sent' }).first().waitFor();
};
const counted = async (page: Page) => {
  await page.getByText('Oldest overall').waitFor();
  await page.waitForLoadState('networkidle');
};
const failed = async (page: Page) => {
  await page.getByText('period_closed').first().waitFor();
  await page.locator('.attempt-dot').first().waitFor();
};
const logged = (page: Page) => page.locator('.record').first().waitFor();

/** Shots of the views with made-up data. */
export const shots: readonly Shot[] = [
  { name: 'overview', path: () => '/overview', whole: true, ready: counted },
  { name: 'deliveries', path: () => '/deliveries', ready: listed },
  { name: 'attempt', path: (_, id) => `/deliveries?open=${id}`, ready: failed },
  {
    name: 'attempt-dark',
    path: (_, id) => `/deliveries/${id}`,
    dark: true,
    whole: true,
    ready: failed,
  },
  { name: 'deliveries-320', path: () => '/deliveries', width: 320, ready: listed },
  { name: 'endpoints', path: () => '/endpoints', ready: shown('Disabled') },
  { name: 'endpoint', path: (id) => `/endpoints/${id}`, ready: shown('Last success') },
  { name: 'endpoint-dark', path: (id) => `/endpoints/${id}`, dark: true, ready: shown('Healthy') },
  { name: 'endpoint-320', path: (id) => `/endpoints/${id}`, width: 320, ready: shown('Healthy') },
  { name: 'audit-log', path: () => '/audit-log', ready: logged },
  {
    name: 'audit-log-320',
    path: () => '/audit-log',
    width: 320,
    dark: true,
    ready: logged,
  },
  { name: 'portal-settings', path: () => '/portal', whole: true, ready: shown('Create a link') },
  { name: 'sessions', path: () => '/sessions', ready: shown('This browser') },
  { name: 'members', path: () => '/members', dark: true, ready: shown('You') },
  {
    name: 'created-key',
    path: () => '/keys',
    async ready(page) {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
      await page.getByText('Your new API key').waitFor();
    },
  },
  { name: 'create-endpoint', path: () => '/endpoints/new', ready: shown('cart.order.completed') },
  { name: 'event-types', path: () => '/event-types', ready: shown('offer.sent') },
  {
    name: 'event-type',
    path: () => '/event-types/cart.order.completed',
    whole: true,
    ready: shown('line_items'),
  },
  {
    name: 'event-type-dark',
    path: () => '/event-types/cart.order.completed',
    dark: true,
    async ready(page) {
      await page.getByText('Python', { exact: true }).click();
      await page.getByText('compare_digest').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'event-type-320',
    path: () => '/event-types/cart.order.completed',
    width: 320,
    whole: true,
    ready: shown('line_items'),
  },
  {
    name: 'rotated-secret',
    path: (id) => `/endpoints/${id}`,
    async ready(page) {
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByText('Your new signing secret').waitFor();
    },
  },
];

/** Shots of an endpoint that lost events. */
export const lossShots: readonly Shot[] = [
  { name: 'endpoint-offer', path: (id) => `/endpoints/${id}`, ready: shown('did not arrive') },
  {
    name: 'start-recovery',
    path: (id) => `/recoveries/new?endpoint=${id}`,
    ready: shown('Start the recovery'),
  },
  {
    name: 'start-recovery-320',
    path: (id) => `/recoveries/new?endpoint=${id}`,
    width: 320,
    whole: true,
    ready: shown('Start the recovery'),
  },
];

/** Shots of a recovery that runs. */
export const recoveryShots: readonly Shot[] = [
  { name: 'recovery', path: (_, id) => `/recoveries/${id}`, ready: shown('Pause') },
  {
    name: 'recovery-dark',
    path: (_, id) => `/recoveries/${id}`,
    dark: true,
    ready: shown('Pause'),
  },
  { name: 'recovery-320', path: (_, id) => `/recoveries/${id}`, width: 320, ready: shown('Pause') },
  {
    name: 'recoveries',
    path: () => '/recoveries',
    ready: (page) => page.locator('.recovery-state').first().waitFor(),
  },
];

/** The dashboard in German. It is last, because the page stays German. */
export const germanShots: readonly Shot[] = [
  {
    name: 'deliveries-german',
    path: () => '/deliveries',
    ready: async (page) => {
      await page.getByLabel('Deutsch').check();
      await page.getByRole('heading', { name: 'Zustellungen', level: 1 }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    },
  },
];
