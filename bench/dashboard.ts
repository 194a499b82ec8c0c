import type { Browser, Page } from 'playwright-core';
import { createMember } from '../src/domain/account/accounts.js';
import { printLink } from '../src/domain/session/sign-in-links.js';
import { answer } from '../test/support/behaviours.js';
import { browserMissing, startBrowser } from '../test/support/browser.js';
import { stopCluster } from '../test/support/cluster.js';
import { createEndpoint } from '../test/support/endpoints.js';
import { startReceiver } from '../test/support/receiver.js';
import { type Service, startService } from '../test/support/service.js';
import { createTenant, type Tenant } from '../test/support/tenants.js';
import { eventType } from './fixtures.js';
import { smallestId } from '../src/domain/values/id.js';
import { median, spread } from './statistics.js';

/** What a reader of the dashboard waits for, in ms, one figure per round. */
export interface DashboardFigures {
  /** First contentful paint by view, with an empty cache. */
  readonly firstPaint: Readonly<Record<string, number[]>>;
  /** Sum of the shifts of the layout while a view loads. */
  readonly layoutShift: number[];
  /** KiB of script, as sent, until the first view is shown. */
  readonly scriptKiB: number[];
  /** From the request of a publisher until the row of its delivery is drawn in the live list. */
  readonly tail: number[];
  /** From a key or a click to the next paint, by what the reader does, with `rows` rows. */
  readonly nextPaint: Readonly<Record<string, number[]>>;
  readonly rows: number;
}

const rows = 10_000;
/** Each view with a text that it shows once it has its data. */
const views = {
  overview: ['/overview', 'Endpoints with failures'],
  deliveries: ['/deliveries', 'Live'],
} as const;
/** An interaction shorter than this has no entry in the Event Timing API. */
const shortestEntryMs = 16;

/** Keeps what the browser measures, for {@link Measured}. */
const observe = `
  globalThis.measured = { shift: 0, events: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) measured.events.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: ${shortestEntryMs}, buffered: true });`;

interface Measured {
  readonly shift: number;
  readonly events: readonly number[];
}

/** Uses the dashboard in headless Chromium: its first views, and its list of 10,000 deliveries. */
export async function benchDashboard(
  rounds: number,
  progress: (line: string) => void,
): Promise<DashboardFigures> {
  if (browserMissing !== undefined) throw new Error(browserMissing);

  const receiver = await startReceiver();
  receiver.always(answer(200));

  const service = await startService();
  const browser = await startBrowser();
  const figures: DashboardFigures = {
    firstPaint: {},
    layoutShift: [],
    scriptKiB: [],
    tail: [],
    nextPaint: {},
    rows,
  };
  try {
    const tenant = await createTenant(service);
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/hooks') });
    await insertDeliveries(service, tenant.account, id, rows + 1_000);
    for (let round = 1; round <= rounds; round += 1) {
      await measureRound(browser, service, tenant, round, figures);
      progress(`the dashboard, round ${round} of ${rounds}`);
    }
  } finally {
    await browser.close();
    await service.stop();
    await stopCluster();
    await receiver.close();
  }

  return figures;
}

async function measureRound(
  browser: Browser,
  service: Service,
  tenant: Tenant,
  round: number,
  figures: DashboardFigures,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } });
  await context.addInitScript(observe);

  const page = await context.newPage();
  await signIn(page, service, tenant.account, round);

  const session = await context.newCDPSession(page);

  for (const [name, [path, lastText]] of Object.entries(views)) {
    await session.send('Network.clearBrowserCache');
    await page.goto(`${service.url}/dashboard${path}`);
    await page.getByText(lastText, { exact: true }).waitFor();
    add(figures.firstPaint, name, await firstPaintOf(page));
    figures.layoutShift.push((await measuredOf(page)).shift);
    if (name === 'overview') figures.scriptKiB.push(await scriptKiBOf(page));
  }

  figures.tail.push(await untilDrawn(page, () => tenant.publish({ type: eventType })));
  await loadAllRows(page);
  await interact(page, figures.nextPaint);
  await context.close();
}

/** Milliseconds from `publish` until the live list shows one more delivery first. */
async function untilDrawn(page: Page, publish: () => Promise<unknown>): Promise<number> {
  await page.getByText('Live', { exact: true }).waitFor();
  const drawn = page.evaluate(`(async () => {
    const first = () => document.querySelector('[id^="row-whd_"]')?.id;
    for (const before = first(); first() === before; ) await new Promise(requestAnimationFrame);
  })()`);
  const publishedAt = performance.now();
  await Promise.all([publish(), drawn]);
  return performance.now() - publishedAt;
}

/** What a reader does, each once, in the order of a real visit. */
async function interact(page: Page, into: Readonly<Record<string, number[]>>): Promise<void> {
  const table = page.getByRole('table');
  const row = table.getByRole('row').nth(3);
  const measure = async (name: string, act: () => Promise<unknown>) => {
    await page.evaluate('measured.events.length = 0');
    await act();
    // Entries come with the frame after the one they measure.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))',
    );
    const { events } = await measuredOf(page);
    add(into, name, Math.max(shortestEntryMs, ...events));
  };

  await measure('open an attempt by a click', () => row.click());
  await page.getByRole('heading', { level: 2 }).first().waitFor();

  for (let step = 0; step < 10; step += 1) {
    await measure('next attempt by a key', () => page.keyboard.press('j'));
  }

  await measure('close it by a key', () => page.keyboard.press('Escape'));
  await measure('pause the list by a key', () => page.keyboard.press('.'));
  await measure('go on by a key', () => page.keyboard.press('.'));
  await table.hover();

  await measure('click after fast scrolling', async () => {
    for (let step = 0; step < 20; step += 1) await page.mouse.wheel(0, 9_000);
    await table.getByRole('row').nth(5).click();
  });

  await measure('help by a key', () => page.keyboard.press('?'));
  await page.keyboard.press('Escape');

  await measure('go to another view by keys', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('e');
  });
}

/** Scrolls until the list holds all it may. */
async function loadAllRows(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const scroller = document.querySelector('.deliveries-scroller');
    const count = () => Math.round(scroller.querySelector('.windowed').offsetHeight / 44);
    while (count() < ${rows}) {
      scroller.scrollTop = scroller.scrollHeight;
      await new Promise((done) => setTimeout(done, 10));
    }
    scroller.scrollTop = 0;
  })()`);
}

function measuredOf(page: Page): Promise<Measured> {
  return page.evaluate<Measured>('measured');
}

function firstPaintOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
  );
}

function scriptKiBOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024`,
  );
}

async function signIn(page: Page, service: Service, account: string, round: number) {
  const { transact } = await service.database.open();
  const link = await transact(async (tx) => {
    const email = `owner-${round}@shop.example`;
    return printLink(tx, (await createMember(tx, { account, email, role: 'owner' })).id);
  });
  await page.goto(`${service.url}/dashboard/sign-in${new URL(link).hash}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

function add(into: Readonly<Record<string, number[]>>, name: string, value: number): void {
  ((into as Record<string, number[]>)[name] ??= []).push(value);
}

/** Inserts `count` deliveries of an endpoint, one in five failed, all a minute old. */
async function insertDeliveries(
  service: Service,
  account: string,
  endpoint: string,
  count: number,
): Promise<void> {
  const at = new Date(Date.now() - 60_000);
  const id = (prefix: 'whd' | 'pdl' | 'evt') =>
    `'${smallestId(prefix, at)}' || lpad(i::text, 16, '0')`;
  await service.database.query(
    `insert into delivery (id, pending_delivery_id, account_id, endpoint_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           failure_reason, duration_ms, created_at, delivered_at)
     select ${id('whd')}, ${id('pdl')}, $1, $2, ${id('evt')}, $3, 'v1', 1 + i % 8, 8,
            case when i % 5 = 0 then 'failed' else 'success' end, false,
            case when i % 5 = 0 then 503 else 200 end,
            case when i % 5 = 0 then 'http_status' end, 20 + i % 300, $4::timestamptz,
            case when i % 5 <> 0 then $4::timestamptz end
       from generate_series(1, $5::int) i`,
    [account, endpoint, eventType, at, count],
  );
}

/** What the dashboard promises its reader, in ms: the most that the median of each figure may be. */
const most = { firstPaint: 1_000, tail: 1_000, nextPaint: 100 };

/** Lines of the table for what a reader of the dashboard waits for. */
export function dashboardLines(figures: DashboardFigures): string[] {
  const { firstPaint, layoutShift, scriptKiB, tail, nextPaint, rows } = figures;
  const line = (what: string, values: readonly number[], unit: string, digits = 0) =>
    `| dashboard: ${what} | ${spread(values, digits)}${unit} | | | |`;
  return [
    ...Object.entries(firstPaint).map(([view, values]) =>
      line(`first contentful paint of ${view}, empty cache`, values, ' ms'),
    ),
    line('layout shift while it loads', layoutShift, '', 3),
    line('script of the first view', scriptKiB, ' KiB', 1),
    line('from publish to the row in the live list', tail, ' ms'),
    ...Object.entries(nextPaint).map(([what, values]) =>
      line(`${rows.toLocaleString('en')} rows, ${what}, to the next paint`, values, ' ms'),
    ),
  ];
}

/** Names each figure that is above its limit. Then the process exits with 1. */
export function reportLate(
  { firstPaint, tail, nextPaint }: DashboardFigures,
  progress: (line: string) => void,
): void {
  const all = [
    ...Object.entries(firstPaint).map((each) => [...each, most.firstPaint] as const),
    ['from publish to the row', tail, most.tail] as const,
    ...Object.entries(nextPaint).map((each) => [...each, most.nextPaint] as const),
  ];
  for (const [what, values, limit] of all.filter(([, values, limit]) => median(values) > limit)) {
    progress(`FAILED: ${what} took ${Math.round(median(values))} ms, more than ${limit}`);
    process.exitCode = 1;
  }
}
