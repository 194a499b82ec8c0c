import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { type CheckedRules, violationsOf } from './accessibility.js';
import { browserMissing, startBrowser } from './browser.js';
import { eventually } from './eventually.js';
import { type Service, sharedService } from './service.js';
import { afterAllTests } from './teardown.js';
import { createTenant, type Tenant } from './tenants.js';

const narrow = { width: 320, height: 700 };

/** A screen 360 pixels wide. */
export const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 } };

/** A person with Chromium on the hosted pages of one account. */
export interface BrowserUser {
  /** The shared service, unless the suite starts its own. */
  readonly service: Service;
  /** The account of the pages; all tests of a suite share it. */
  readonly tenant: Tenant;
  /** Opens the page of a test; it is closed after the test. */
  readonly browse: (options: BrowserContextOptions) => Promise<Page>;
  /** Waits until the URL of the page contains `part`. */
  readonly waitForUrl: (part: string) => Promise<void>;
  /** The width of the page's content in CSS pixels; if wider than the screen, the page scrolls. */
  readonly contentWidth: () => Promise<number>;
  /** Checks accessibility with axe. @throws AssertionError that begins with `what` */
  expectAccessible(what: string): Promise<void>;
  /**
   * Checks accessibility in both themes and at 320 pixels, which must be wide enough. Checks colours at
   * the width of the page only: the test of the page of components does so at 320 pixels.
   * @param where defaults to the page that `browse` opened last
   */
  readonly expectFit: (what: string, where?: Page | Frame) => Promise<void>;
  /** Gives the account this name while `work` runs. */
  withAccountName(name: string, work: () => Promise<void>): Promise<void>;
}

let started: Browser | undefined;
afterAllTests(async () => {
  await started?.close();
  started = undefined;
});

/** The browser that all suites share, unless it has crashed. */
async function sharedBrowser(): Promise<Browser> {
  if (!started?.isConnected()) started = await startBrowser();
  return started;
}

/**
 * Declares a suite of tests in Chromium. Without Chromium it is pending and says why. All suites share
 * one browser; each page has cookies and storage of its own.
 * @param start starts a service for this suite. Defaults to the shared one
 * @param stop stops what `start` has started. Defaults to the service
 */
export function describeInChromium(
  subject: string,
  suite: (browserUser: BrowserUser) => void,
  start?: () => Promise<Service>,
  stop = (service: Service): Promise<void> => service.stop(),
): void {
  describe(`${subject}, in Chromium`, function () {
    if (browserMissing !== undefined) {
      it(browserMissing);
      return;
    }
    let service: Service;
    let tenant: Tenant;
    let browser: Browser;
    let page: Page;

    before(async () => {
      [service, browser] = await Promise.all([(start ?? sharedService)(), sharedBrowser()]);
      tenant = await createTenant(service);
    });
    after(async () => {
      // A test may have opened more of them.
      for (const context of (browser as Browser | undefined)?.contexts() ?? [])
        await context.close();
      if (start && (service as Service | undefined)) await stop(service);
    });
    // With every other page of its person.
    afterEach(() => page.context().close());

    const rename = (name: string) =>
      service.database.query('update account set name = $2 where id = $1', [tenant.account, name]);

    const contentWidth = (where: Page | Frame = page) =>
      where.evaluate<number>('document.documentElement.scrollWidth');

    async function expectAccessible(
      what: string,
      where: Page | Frame = page,
      rules: CheckedRules = 'all',
    ): Promise<void> {
      // A page that draws itself may be empty still.
      await where.locator('h1').first().waitFor();
      expect(await violationsOf(where, rules), what).to.deep.equal([]);
    }

    suite({
      get service() {
        return service;
      },
      get tenant() {
        return tenant;
      },
      async browse(options) {
        // Of its own, so that a test can open more pages of the same person.
        const context = await browser.newContext(options);
        context.setDefaultTimeout(120_000);
        page = await context.newPage();
        return page;
      },
      // Not waitForURL: a second click aborts the navigation that it waits for.
      waitForUrl: (part) =>
        eventually(() => {
          expect(page.url()).to.include(part);
        }, `it is at ${part}`),
      contentWidth: () => contentWidth(),
      expectAccessible: (what) => expectAccessible(what),
      async expectFit(what, where = page) {
        const shown = 'page' in where ? where.page() : where;
        for (const [colorScheme, rules] of [
          ['light', 'all'],
          ['dark', 'colours'],
        ] as const) {
          // In the middle of a transition, the contrast is that of neither theme.
          await shown.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await expectAccessible(`${what}, ${colorScheme}`, where, rules);
        }
        const before = shown.viewportSize();
        await shown.setViewportSize(narrow);
        expect(await contentWidth(where), `${what} at 320 pixels`).to.be.at.most(narrow.width);
        await expectAccessible(`${what} at 320 pixels`, where, 'others');
        if (before) await shown.setViewportSize(before);
      },
      async withAccountName(name, work) {
        await rename(name);
        await work();
        await rename('Test shop');
      },
    });
  });
}
