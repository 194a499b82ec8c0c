import { spawnSync } from 'node:child_process';
import {
  type Browser,
  chromium,
  type BrowserContextOptions,
  type Frame,
  type Page,
  type Locator,
} from 'playwright-core';
import { expect } from 'chai';
import { eventually } from './eventually.js';
import { type Service, sharedService } from './service.js';
import { afterAllTests } from './teardown.js';
import { createTenant, type Tenant } from './tenants.js';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The names of Chromium on Debian, Ubuntu and other systems. Its headless shell takes less processor time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const executable = names.find((name) => spawnSync(name, ['--version']).status === 0);

/** The reason why browser tests are pending; undefined when a browser is installed. */
export const browserMissing: string | undefined =
  executable === undefined
    ? `no ${names.slice(0, 4).join(', ')} found: install one (Debian: ${names[0]}) to run this`
    : undefined;

/** Parts of Chromium that draw its own windows. Their pages take two processes for each page of a test. */
const ownPages = [
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];
/** What Playwright switches off. It is repeated here, because only the last list of an option counts. */
const switchedOffByPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Starts a headless Chromium with its own profile. It reaches only this machine. */
export async function startBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error(browserMissing);

  const { stdout } = spawnSync('which', [executable], { encoding: 'utf8' });
  return chromium.launch({
    executablePath: stdout.trim(),
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${[...switchedOffByPlaywright, ...ownPages].join()}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}

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

/** Returns the browser that all suites share, and starts another one if it has crashed. */
async function sharedBrowser(): Promise<Browser> {
  if (!started?.isConnected()) started = await startBrowser();
  return started;
}

/**
 * Declares a suite of tests in Chromium. Without Chromium the suite is pending and says why. All suites share
 * one browser; each page has its own cookies and storage.
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
      // A test may have opened more contexts.
      for (const context of (browser as Browser | undefined)?.contexts() ?? [])
        await context.close();
      if (start && (service as Service | undefined)) await stop(service);
    });

    // This closes the other pages of the same person, too.
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
        // A separate context, so that a test can open more pages of the same person.
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
        await drawn(where);
        expect(await contentWidth(where), `${what} at 320 pixels`).to.be.at.most(narrow.width);
        await expectAccessible(`${what} at 320 pixels`, where, 'others');
        if (before) {
          await shown.setViewportSize(before);
          await drawn(where);
        }
      },
      async withAccountName(name, work) {
        await rename(name);
        await work();
        await rename('Test shop');
      },
    });
  });
}

/** Waits until the page has drawn what a change of its size started, such as the work of a ResizeObserver. */
export function drawn(where: Page | Frame): Promise<unknown> {
  return where.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** The focus, as a person with a keyboard sees it. */
interface SeenFocus {
  /** The id of the element, or its tag. */
  readonly name: string;
  readonly text: string;
  /** Whether it is on the screen, and nothing covers it. */
  readonly inSight: boolean;
  /** Whether an outline or a ring is around it. */
  readonly marked: boolean;
}

/** Reads the {@link SeenFocus} of a page. The label of a transparent control has its size and its ring. */
const readFocus = `(() => {
  const element = document.activeElement;
  const label = getComputedStyle(element).opacity === '0' && element.closest('label');
  const shown = label || element;
  const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(shown);
  const isTransparent = outlineColor === 'rgba(0, 0, 0, 0)';
  const [box] = shown.getClientRects();
  const middle = box && [box.x + box.width / 2, box.y + box.height / 2];
  return {
    name: element.id || element.localName,
    text: shown.textContent.trim().slice(0, 40),
    inSight: middle !== undefined && shown.contains(document.elementFromPoint(...middle)),
    marked:
      (outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && !isTransparent) ||
      /\\b0px 0px 0px [2-9]px/.test(boxShadow),
  };
})()`;

const maxPresses = 100;

/**
 * Checks that the element with the focus is in sight, and looks focused.
 * @returns its id, or its tag
 */
export function expectVisibleFocus(page: Page): Promise<string> {
  return eventually(
    async () => {
      const { name, text, ...seen } = await page.evaluate<SeenFocus>(readFocus);
      expect(seen, `${name} “${text}”`).to.deep.equal({ inSight: true, marked: true });
      return name;
    },
    'the focus is visible',
    20_000,
  );
}

/** Presses Tab until `target` has the focus, which is visible at each element on the way. */
export async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await target.waitFor();
  const reached = target.and(page.locator(':focus'));
  const passed: string[] = [];
  while ((await reached.count()) === 0) {
    expect(passed.length, `${key} passes ${passed.join(', ')}`).to.be.below(maxPresses);
    await page.keyboard.press(key);
    passed.push(await expectVisibleFocus(page));
  }
}

/**
 * Presses keys that are one shortcut, such as g, then e. The page allows 1 s between them, so the
 * second goes to the browser before the page has handled the first.
 */
export async function sendKeySequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

/** The minified source of axe: a page reads it in two thirds of the time that `axe.source` takes. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Rules that look at colours. They take two thirds of the time of all rules. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The rules that axe checks. */
type CheckedRules = 'all' | 'colours' | 'others';

/** Axe describes only violations in full, which takes half the time. */
const options: Readonly<Record<CheckedRules, object>> = {
  all: { resultTypes: ['violations'] },
  colours: { resultTypes: ['violations'], runOnly: colourRules },
  others: {
    resultTypes: ['violations'],
    rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])),
  },
};

/**
 * Checks accessibility with axe. @returns a line for each violation
 * @param context a selector of the part to check. Defaults to the whole page
 */
export async function violationsOf(
  where: Page | Frame,
  rules: CheckedRules = 'all',
  context?: string,
): Promise<string[]> {
  if (!(await where.evaluate<boolean>(`'axe' in window`))) await where.evaluate(source);
  const given = [...(context === undefined ? [] : [context]), options[rules]];
  // Only these lines leave the page, because sending all that axe found takes a quarter of the time.
  return where.evaluate<string[]>(
    `axe.run(...${JSON.stringify(given)}).then(({ violations }) =>
      violations.map(({ id, help }) => id + ': ' + help))`,
  );
}

/** Returns the texts that describe a field to a screen reader: its hint and its error. */
export async function describedBy(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  return field
    .page()
    .evaluate<string>(
      `${JSON.stringify(ids)}.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ')`,
    );
}
