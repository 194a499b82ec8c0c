import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { Role } from '../../src/domain/account/permission.js';
import { type BrowserUser, describeInChromium } from './browser-user.js';
import { type MailServer, startMailServer } from './mail-server.js';
import { startService } from './service.js';

const wide = { width: 1_280, height: 860 };

/** The link and the code of a mail. */
interface SignInMail {
  readonly link: string;
  readonly code: string;
}

/** A person with Chromium on the dashboard of one account. */
export interface DashboardUser extends Pick<
  BrowserUser,
  'service' | 'tenant' | 'browse' | 'expectFit'
> {
  /** Makes a member of the account. @returns its address */
  newMember(role: Role): Promise<string>;
  /** Opens a path of the dashboard. The test fails if the page throws or breaks its policy. */
  open(path: string): Promise<Page>;
  /** Asks for a mail on the sign-in page. */
  askForMail(page: Page, email: string): Promise<SignInMail>;
  /** Returns the mail that `ask` causes. */
  mailAfter(ask: () => Promise<unknown>): Promise<SignInMail>;
  /** Opens a path and signs in as a new member, by the code of a mail. */
  signIn(path: string, role?: Role): Promise<Page>;
}

/** The heading of a page. */
export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, level: 1 });
}

/** Declares a suite of tests of the dashboard in Chromium, on a service that mails to the suite. */
export function describeDashboard(subject: string, suite: (user: DashboardUser) => void): void {
  let mailServer: MailServer;
  const start = async () => {
    mailServer = await startMailServer();
    return startService({ environment: { SMTP_URL: mailServer.url } });
  };
  describeInChromium(
    subject,
    (browserUser) => {
      const violations: string[] = [];
      let members = 0;
      afterEach(() => expect(violations.splice(0)).to.deep.equal([]));
      after(() => mailServer.close());

      const user: DashboardUser = {
        get service() {
          return browserUser.service;
        },
        get tenant() {
          return browserUser.tenant;
        },
        browse: browserUser.browse,
        expectFit: browserUser.expectFit,
        async newMember(role) {
          members += 1;
          const email = `${role}-${members}@shop.example`;
          await browserUser.tenant.graphql(
            'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
            { input: { account: browserUser.tenant.account, email, role } },
          );
          return email;
        },
        async open(path) {
          const page = await browserUser.browse({ viewport: wide, reducedMotion: 'reduce' });
          page.on('console', (message) => {
            if (/Content.Security.Policy|Trusted/i.test(message.text()))
              violations.push(message.text());
          });
          page.on('pageerror', (error) => violations.push(String(error)));
          await page.goto(`${browserUser.service.url}/dashboard${path}`);
          return page;
        },
        async askForMail(page, email) {
          return user.mailAfter(async () => {
            await page.getByLabel('Email address').fill(email);
            await page.getByRole('button', { name: 'Send me a link' }).click();
            await page.getByText('Look into your mail').waitFor();
          });
        },
        async mailAfter(ask) {
          const taken = mailServer.taken.length;
          await ask();
          const [mail] = (await mailServer.took(taken + 1)).slice(taken);
          const [link = ''] = /https?:\S+#\S+/.exec(mail?.text ?? '') ?? [];
          const [code = ''] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(mail?.text ?? '') ?? [];
          return { link, code };
        },
        async signIn(path, role = 'developer') {
          const page = await user.open(path);
          const { code } = await user.askForMail(page, await user.newMember(role));
          await page.getByLabel('Code of the mail').fill(code.toLowerCase());
          await page.getByRole('button', { name: 'Sign in' }).click();
          await page.getByRole('navigation', { name: 'Views' }).waitFor();
          return page;
        },
      };
      suite(user);
    },
    start,
  );
}
