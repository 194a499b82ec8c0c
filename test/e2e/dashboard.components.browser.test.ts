import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { describeInChromium, drawn, violationsOf } from '../support/browser.js';
import { type DashboardSources, serveDashboardSources } from '../support/dashboard-sources.js';

const narrow = { width: 320, height: 700 };

describeInChromium('the page of components', (user) => {
  let sources: DashboardSources;
  const failures: string[] = [];

  before(async () => {
    sources = await serveDashboardSources();
  });
  after(() => sources.close());
  afterEach(() => expect(failures.splice(0)).to.deep.equal([]));

  /** Opens it as developers do, without a service behind it. */
  async function openPage(): Promise<Page> {
    const page = await user.browse({
      viewport: { width: 1_280, height: 860 },
      reducedMotion: 'reduce',
    });
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('requestfailed', (request) =>
      failures.push(`${request.failure()?.errorText} ${request.url()}`),
    );
    page.on('response', (response) => {
      if (!response.ok()) failures.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${sources.url}/_components`);
    await page.getByRole('heading', { name: 'Components', level: 1 }).waitFor();
    await page.getByText('This part was loaded.').waitFor();
    return page;
  }

  /** Removes everything else: axe reads the whole document, also what is hidden, which takes most of its time. */
  async function leaveOnlyDialogs(page: Page): Promise<void> {
    await page.setViewportSize(narrow);
    await page.evaluate(
      `document.querySelectorAll('main > :not(#dialogs)').forEach((part) => part.remove())`,
    );
    await drawn(page);
  }

  /** Checks what is open, in both themes at 320 pixels. */
  async function expectOpenFit(page: Page, opened: Locator, what: string): Promise<void> {
    const box = await opened.boundingBox();
    expect(box?.width, what).to.be.at.most(narrow.width);

    const content = await page.evaluate<number>(
      `document.querySelector('dialog[open], .drawer').scrollWidth`,
    );
    expect(content, what).to.be.at.most(narrow.width);

    for (const [colorScheme, rules] of [
      ['light', 'all'],
      ['dark', 'colours'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const violations = await violationsOf(page, rules, 'dialog[open], .drawer');
      expect(violations, `${what}, ${colorScheme}`).to.deep.equal([]);
    }
  }

  it('the page of components is accessible in both themes and at 320 pixels', async () => {
    const page = await openPage();
    await user.expectFit('the page of components');
    await page.setViewportSize(narrow);
    await drawn(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const violations = await violationsOf(page, 'colours');
      expect(violations, `at 320 pixels, ${colorScheme}`).to.deep.equal([]);
    }
  });

  it('shows every token with its value', async () => {
    const page = await openPage();
    const shown = await page.locator('#tokens code').allInnerTexts();
    const tokens = await page.evaluate<string[]>(
      `[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
        .filter(({ selectorText }) => selectorText === ':root')
        .flatMap(({ style }) => [...style]).filter((name) => name.startsWith('--'))`,
    );
    expect(tokens.length).to.be.greaterThan(40);
    expect(shown).to.include.members(tokens);
  });

  it('each switch keeps its own choice', async () => {
    const page = await openPage();
    const without = await page.evaluate<string[]>(
      `[...document.querySelectorAll('fieldset:has([type=radio])')]
        .filter((label) => !label.querySelector(':checked')).map((label) => label.innerText)`,
    );
    expect(without).to.deep.equal([]);
  });

  it('opens each dialog, which is accessible in both themes at 320 pixels', async () => {
    const page = await openPage();
    await leaveOnlyDialogs(page);

    const buttons = await page.locator('#dialogs button').all();
    let dialogs = 0;

    for (const button of buttons) {
      const what = `${(await button.getAttribute('aria-label')) ?? ''} ${await button.innerText()}`;
      // These act without a dialog.
      if (/Pause|Resume/.test(what)) continue;

      await button.click();

      const opened = page.locator('dialog[open], .drawer');
      await opened.waitFor();
      dialogs += 1;
      await opened.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await expectOpenFit(page, opened, what);
      await page.keyboard.press('Escape');
      // A closed dialog stays until its event was handled: the next click would not open another one of its kind.
      await page.locator('dialog, .drawer').waitFor({ state: 'detached' });
    }

    expect(dialogs).to.be.at.least(24);
  });

  const shownOnce = [
    { file: 'pages/endpoints/endpoint-dialogs.tsx: RotateDialog', done: 'I stored it' },
    { file: 'pages/account/keys-page.tsx: CreateKeyDialog', done: 'I stored it' },
    { file: 'pages/portal/portal-page.tsx: CreateLinkDialog', done: 'Done' },
  ];

  it('keeps each dialog that shows a secret open on Escape', async () => {
    const page = await openPage();
    await leaveOnlyDialogs(page);

    for (const { file, done } of shownOnce) {
      await page.getByRole('button', { name: `Open: ${file}` }).click();

      const opened = page.locator('dialog[open]');
      await opened.locator('button[type=submit]').click();
      await opened.locator('.copyable-secret').waitFor();
      await page.keyboard.press('Escape');
      await expectOpenFit(page, opened, file);
      await opened.getByRole('button', { name: done }).click();
      await opened.waitFor({ state: 'detached' });
    }
  });

  it('shows how a dialog says that a request failed', async () => {
    const page = await openPage();
    await page.getByRole('button', { name: /Open: .*DisableDialog/ }).click();
    await page.locator('dialog[open] button[type=submit]').click();
    await page.locator('dialog[open]').getByText('This page has no service.').waitFor();
  });
});
