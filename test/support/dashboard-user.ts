import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { Role } from '../../src/domain/account/permission.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
import { type BrowserUser, describeInChromium } from './browser-user.js';
import { eventually } from './eventually.js';
import { type MailServer, startMailServer } from './mail-server.js';
import { type Service, startService } from './service.js';
import { afterAllTests } from './teardown.js';
import { databaseOf } from './tenants.js';

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
  /** Signs in as a new member, by a link as an operator prints it, and opens a path. */
  signIn(path: string, role?: Role): Promise<Page>;
}

/** The heading of a page. */
export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, level: 1 });
}

/** Where a suite runs whose tests count or change what all accounts share. */
interface DashboardOptions {
  /** Defaults to the service that all suites of the dashboard share. */
  readonly ownService?: boolean;
}

/** A service that mails to a test. */
interface MailingService {
  readonly service: Service;
  readonly mailServer: MailServer;
}

let common: Promise<MailingService> | undefined;
afterAllTests(async () => {
  const started = await common?.catch(() => undefined);
  await started?.service.stop();
  await started?.mailServer.close();
  common = undefined;
});

async function startMailing(): Promise<MailingService> {
  const mailServer = await startMailServer();
  const service = await startService({ environment: { SMTP_URL: mailServer.url } });
  return { mailServer, service };
}

/** Members of all suites, so that each has an address of its own. */
let members = 0;

/** Declares a suite of tests of the dashboard in Chromium, on a service that mails to the tests. */
export function describeDashboard(
  subject: string,
  suite: (user: DashboardUser) => void,
  { ownService = false }: DashboardOptions = {},
): void {
  let mailServer: MailServer;
  const start = async () => {
    const started = await (ownService ? startMailing() : (common ??= startMailing()));
    ({ mailServer } = started);
    return started.service;
  };
  const stop = async (service: Service) => {
    if (!ownService) return;
    await service.stop();
    await mailServer.close();
  };
  describeInChromium(
    subject,
    (browserUser) => {
      const violations: string[] = [];
      afterEach(() => expect(violations.splice(0)).to.deep.equal([]));

      const createMember = async (role: Role) => {
        members += 1;
        const email = `${role}-${members}@shop.example`;
        const { account } = browserUser.tenant;
        const { createMember: member } = await browserUser.tenant.graphql<{
          createMember: { id: string };
        }>('mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }', {
          input: { account, email, role },
        });
        return { id: member.id, email };
      };

      const watchedPage = async () => {
        const page = await browserUser.browse({ viewport: wide, reducedMotion: 'reduce' });
        page.on('console', (message) => {
          if (/Content.Security.Policy|Trusted/i.test(message.text()))
            violations.push(message.text());
        });
        page.on('pageerror', (error) => violations.push(String(error)));
        return page;
      };

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
          return (await createMember(role)).email;
        },
        async open(path) {
          const page = await watchedPage();
          await page.goto(`${browserUser.service.url}/dashboard${path}`);
          return page;
        },
        async askForMail(page, email) {
          return user.mailAfter(async () => {
            await page.getByLabel('Email address').fill(email);
            await page.getByRole('button', { name: 'Send me a link' }).click();
            await page.getByText('Check your email').waitFor();
          });
        },
        async mailAfter(ask) {
          const taken = mailServer.taken.length;
          await ask();
          return eventually(() => {
            // Other suites may have caused notices.
            for (const { text } of mailServer.taken.slice(taken)) {
              const [link] = /https?:\S+#\S+/.exec(text) ?? [];
              const [code] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(text) ?? [];
              if (link !== undefined && code !== undefined) return { link, code };
            }
            throw new Error(`${mailServer.taken.length - taken} other mails`);
          }, 'a mail to sign in is accepted');
        },
        async signIn(path, role = 'developer') {
          const member = await createMember(role);
          const { transact } = await databaseOf(browserUser.service);
          const { hash } = new URL(await transact((tx) => printLink(tx, member.id)));
          const page = await watchedPage();
          // Does what the page of a link does, without loading it. Other tests open that page.
          const { url } = browserUser.service;
          const signedIn = await page.context().request.post(`${url}/dashboard/session`, {
            headers: { 'Sec-Fetch-Site': 'same-origin' },
            data: { token: hash.slice(1) },
          });
          expect(signedIn.status()).to.equal(200);
          await page.goto(`${url}/dashboard${path}`);
          await page.getByRole('navigation', { name: 'Views' }).waitFor();
          // The menu is there before the view: a test must not leave while that is on its way.
          await page.getByRole('heading', { level: 1 }).first().waitFor();
          return page;
        },
      };
      suite(user);
    },
    start,
    stop,
  );
}
