import { request } from 'undici';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { RateLimits } from '../../src/http/rate-limits.js';
import { clientAddress } from '../../src/http/client-address.js';
import { memberStreamAuthenticator, serveDashboard } from '../../src/http/dashboard/dashboard.js';
import type { DashboardFiles } from '../../src/http/dashboard/pages.js';
import { portalStreamAuthenticator, servePortal } from '../../src/http/dashboard/portal.js';
import type { Dependencies as RestDependencies } from '../../src/http/rest/execute.js';
import { createRestRouter } from '../../src/http/rest/router.js';
import { servePublicStream } from '../../src/http/stream/routes.js';
import type { OpenIdOptions } from '../../src/http/dashboard/open-id.js';
import type { Database } from '../../src/database/database.js';
import { lazyGraphQLServer } from '../../src/http/graphql/lazy-server.js';
import { runKnownDocuments } from '../../src/http/graphql/known-documents.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { listen } from '../../src/http/server/listen.js';
import { createPublicApp } from '../../src/http/server/public-app.js';
import { createAuthenticators } from '../../src/http/authentication.js';
import { freePort } from '../../tools/launcher/ports.js';
import { releaseOf } from './documents.js';
import { publisherOf } from './publisher.js';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { Role } from '../../src/domain/account/permission.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
import { type BrowserUser, describeInChromium } from './browser.js';
import { eventually } from './eventually.js';
import { type MailServer, startMailServer } from './mail.js';
import { type Service, startService } from './service.js';
import { afterAllTests } from './teardown.js';
import { databaseOf } from './tenants.js';

/** A response to a {@link DashboardClient}. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The code of a Problem. */
  readonly code: string | undefined;
}

/** A browser of one person: it keeps cookies, and says from which site it sends. */
export class DashboardClient {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly address: string,
    /** The headers of every request, such as Sec-Fetch-Site. */
    readonly headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
    /** The path below which it sends. */
    readonly base = '/dashboard',
  ) {}

  /** Sends a request. @param body an object is sent as JSON */
  async send(method: string, path: string, body?: object | string, headers = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await request(`${this.address}${this.base}${path}`, {
      method: method as 'POST',
      headers: {
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...(cookie !== '' && { cookie }),
        ...this.headers,
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });

    const { statusCode: status, headers: sent } = response;
    for (const header of [sent['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }

    const text = await response.body.text();
    const isProblem = sent['content-type'] === 'application/problem+json';
    const code = isProblem ? (JSON.parse(text) as { code: string }).code : undefined;
    return { status, headers: sent, text, code };
  }
}

interface Options {
  /** The base URL; defaults to that of the listener. */
  readonly origin?: string;
  readonly files?: DashboardFiles;
  /** The texts of the documents that it knows. */
  readonly documents?: readonly string[];
  readonly perMinute?: number;
  readonly openId?: OpenIdOptions;
}

/** Returns the id of a known document. */
export function documentId(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Starts a public listener with a dashboard and nothing else of use. */
export async function startDashboard(database: Database, settings: Options = {}) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const log = pino({ level: 'silent' });
  const { read, transact } = database;
  const authenticators = createAuthenticators(6_000);
  const { authenticator, sessions, portalSessions } = authenticators;
  const schema = buildSchema();
  const graphql = lazyGraphQLServer(schema, log, () => undefined);
  const reports: unknown[] = [];
  const texts = (settings.documents ?? []).map((text) => [documentId(text), text] as const);
  const documents = releaseOf(schema, new Map(texts));
  const origin = settings.origin ?? address;
  const addressOf = clientAddress(1, () => undefined);
  const limits = new RateLimits({ perMinute: settings.perMinute ?? 60_000 });
  const waitForReplay = () => Promise.reject(new Error('no replay ends here'));
  const members = { read, transact, limits, sessions, origin, addressOf };
  const portalUsers = { ...members, sessions: portalSessions };
  const options = {
    files: settings.files,
    graphql: {
      execute: runKnownDocuments(graphql.execute),
      limits,
      addressOf,
      replayLimitMs: 20_000,
      report: (error: unknown) => void reports.push(error),
      dependencies: { read, transact, publisher: publisherOf(database), waitForReplay },
      documents,
    },
  };

  const app = createPublicApp({
    rest: createRestRouter({ routes: [], dependencies: {} as RestDependencies, addressOf }),
    middlewares: [
      servePublicStream({
        dependencies: { read, authenticator },
        authenticateSession: memberStreamAuthenticator(members),
        portalAt: portalStreamAuthenticator(portalUsers),
        credentials: [],
        limits,
        addressOf,
        openStream: () => Promise.reject(new Error('no stream opens here')),
      }),
      serveDashboard({ ...members, ...options, authenticator, openId: settings.openId }),
      servePortal({ ...portalUsers, ...options }),
    ],
    origin,
    log,
    observe: () => undefined,
    tracing: undefined,
  });

  const listener = await listen(app, { host: '127.0.0.1', port, origin: address, log });

  return {
    address,
    origin,
    reports,
    /** Makes the listener forget its viewers, as a notification does. */
    invalidate: () => authenticators.invalidateAll(),
    close: async () => {
      await listener.close();
      await graphql.stop();
    },
  };
}

const wide = { width: 1_280, height: 860 };

/** The link and the code of a mail. */
interface SignInMail {
  readonly link: string;
  readonly code: string;
}

/** A person with Chromium on the dashboard of one account. */
interface DashboardUser extends Pick<BrowserUser, 'service' | 'tenant' | 'browse' | 'expectFit'> {
  /** Creates a member of the account. @returns its address */
  newMember(role: Role): Promise<string>;
  /** Opens a path of the dashboard. The test fails if the page throws or breaks its policy. */
  open(path: string): Promise<Page>;
  /** Returns what the pages threw or broke so far, which then does not fail the test. */
  takeErrors(): string[];
  /** Asks for a mail on the sign-in page. */
  askForMail(page: Page, email: string): Promise<SignInMail>;
  /** Returns the mail that `ask` causes. */
  mailAfter(ask: () => Promise<unknown>): Promise<SignInMail>;
  /** Signs in as a new member, by a link as an operator prints it, and opens a path. */
  signIn(path: string, role?: Role): Promise<Page>;
}

/** Finds the heading of a page. */
export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, level: 1 });
}

/** Options of {@link describeDashboard}. */
interface DashboardOptions {
  /**
   * Whether the suite has its own service, because its tests count or change what all accounts share. Defaults to the
   * service that all suites of the dashboard share.
   */
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
  const service = await startService({
    environment: { SMTP_URL: mailServer.url, WEBHOOKS_RETRY_SCHEDULES: 'fast=1s,5s' },
  });
  return { mailServer, service };
}

/** The number of members of all suites, so that each gets its own address. */
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
        takeErrors: () => violations.splice(0),
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

          // This does what the page of a link does, without loading it. Other tests open that page.
          const { url } = browserUser.service;
          const signedIn = await page.context().request.post(`${url}/dashboard/session`, {
            headers: { 'Sec-Fetch-Site': 'same-origin' },
            data: { token: hash.slice(1) },
          });

          expect(signedIn.status()).to.equal(200);
          await page.goto(`${url}/dashboard${path}`);
          await page.getByRole('navigation', { name: 'Views' }).waitFor();

          // The menu appears before the view: a test must not leave while the view is loading.
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

/** The response with a page. */
export interface AnsweredPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A request of {@link openPage}; the method defaults to GET, or POST with a body. */
export interface PageRequest {
  readonly method?: string;
  /** Form fields, sent with POST as browsers do. */
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Requests a page as a browser without scripts does, and checks what every page must have. Follows no
 * redirect.
 */
export async function openPage(url: string, ask: PageRequest = {}): Promise<AnsweredPage> {
  const { form, headers = {} } = ask;
  const body = ask.body ?? (form && new URLSearchParams(form).toString());
  const method = ask.method ?? (body === undefined ? 'GET' : 'POST');
  const response = await request(url, {
    method: method as 'GET',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body: body ?? null,
  });

  const page = {
    status: response.statusCode,
    headers: response.headers,
    text: await response.body.text(),
  };

  if (method !== 'OPTIONS') checkPage(page);

  return page;
}

function checkPage({ headers, text }: AnsweredPage): void {
  expect(headers, text).to.include({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-security-policy']).to.match(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action [^;]+; base-uri 'none'; frame-ancestors [^;]+$/,
  );
  expect(headers).not.to.have.any.keys('set-cookie', 'x-powered-by', 'server');
  expect(text).not.to.match(/<script|<link|<img|\son[a-z]+=|\sstyle=|javascript:/i);
}
