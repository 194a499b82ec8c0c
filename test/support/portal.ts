import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { createPortalLink, type PortalLinkInput } from '../../src/domain/portal/portal-links.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { type Answer, DashboardClient } from './dashboard-client.js';
import { documentId, startDashboard } from './dashboard-server.js';
import { SignIn } from './sign-in.js';

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** A public listener with the portal of an account that is new for each test. */
export class Portal {
  account = '';

  constructor(
    readonly test: TestDatabase,
    readonly database: Database,
    readonly sign: SignIn,
    readonly server: Awaited<ReturnType<typeof startDashboard>>,
  ) {}

  /** A browser at the portal of an account. */
  browser(account = this.account, headers: Readonly<Record<string, string>> = sameOrigin) {
    return new DashboardClient(this.server.address, headers, `/portal/${account}`);
  }

  /** @param by the member who makes it; null for an operator */
  async link(
    input: PortalLinkInput = { role: 'viewer' },
    account = this.account,
    by: string | null = null,
  ) {
    const made = await this.database.transact((tx) => createPortalLink(tx, by, account, input));
    return { ...made, token: new URL(made.url).hash.slice(1) };
  }

  /** Opens a session in a browser. */
  async open(browser = this.browser(), input?: PortalLinkInput) {
    const { token } = await this.link(input);
    const opened = await browser.send('POST', '/session', { token });
    expect(opened.status, opened.text).to.equal(200);
    return { opened, page: (JSON.parse(opened.text) as { token: string }).token };
  }

  ask(browser: DashboardClient, text: string, variables?: object, headers = {}) {
    return browser.send('POST', '/graphql', { id: documentId(text), variables }, headers);
  }
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** What a document answered. */
export function dataOf({ text }: Answer): Result['data'] {
  return (JSON.parse(text) as Result).data;
}

/** Why a document was refused. */
export function refusedAs({ text }: Answer): string | undefined {
  return (JSON.parse(text) as Result).errors?.[0]?.extensions.code;
}

/** Declares a suite of tests of the portal. */
export function describePortal(
  subject: string,
  documents: readonly string[],
  suite: (portal: () => Portal) => void,
): void {
  describe(subject, () => {
    let portal: Portal;
    before(async () => {
      const test = await createTestDatabase();
      const database = await test.open({ credentialsChanged: () => server.invalidate() });
      const index = Buffer.from('<html><head></head></html>');
      const files = { index, assets: new Map<string, never>() };
      const server = await startDashboard(database, { documents, files });
      portal = new Portal(test, database, new SignIn(test, database), server);
    });
    after(async () => {
      await portal.server.close();
      await portal.test.drop();
    });
    beforeEach(async () => {
      portal.account = await portal.sign.account();
    });
    suite(() => portal);
  });
}
