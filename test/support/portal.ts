import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { createPortalLink, type PortalLinkInput } from '../../src/domain/portal/portal-links.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { type Answer, DashboardClient, documentId, startDashboard } from './dashboard.js';
import { SignIn } from './sign-in.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** A public listener with the portal of an account that is new for each test. */
class Portal {
  account = '';

  constructor(
    readonly test: TestDatabase,
    readonly database: Database,
    readonly sign: SignIn,
    readonly server: Awaited<ReturnType<typeof startDashboard>>,
  ) {}

  /** Returns a browser at the portal of an account. */
  browser(account = this.account, headers: Readonly<Record<string, string>> = sameOrigin) {
    return new DashboardClient(this.server.address, headers, `/portal/${account}`);
  }

  /** Creates a link. @param by the member who creates it; null for an operator */
  async link(
    input: PortalLinkInput = { role: 'viewer' },
    account = this.account,
    by: string | null = null,
  ) {
    const link = await this.database.transact((tx) => createPortalLink(tx, by, account, input));
    return { ...link, token: new URL(link.url).hash.slice(1) };
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

/** Returns the data of the answer to a document. */
export function dataOf({ text }: Answer): Result['data'] {
  return (JSON.parse(text) as Result).data;
}

/** Returns the code with which a document was refused; undefined if it was not. */
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

/** The site of a merchant, which is another site than the service: it is at `localhost`. */
export interface Merchant {
  readonly origin: string;
  /** How often a frame asked for a link. */
  asked: number;
  close(): Promise<void>;
}

/** The page around the portal, as docs/dashboard.md shows it. */
const pageOf = (url: string) => `<!doctype html><html lang="en"><title>Alpine Prints</title>
<body style="margin: 0; font-family: sans-serif; background: #fffdf5">
<header style="padding: 1rem 2rem; background: #14532d; color: #fff">Alpine Prints · Settings</header>
<iframe id="portal" src="${url}" title="Webhooks" allow="clipboard-write"
  style="width: 100%; height: calc(100vh - 60px); border: 0"></iframe>
<script>
  const frame = document.getElementById('portal');
  const origin = new URL(frame.src).origin;
  addEventListener('message', async (event) => {
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    if (event.data?.type !== 'signalpost.link-needed') return;
    const answer = await fetch('/portal-link', { method: 'POST' });
    frame.contentWindow.postMessage({ type: 'signalpost.link', url: await answer.text() }, origin);
  });
</script></body></html>`;

/** Starts the site of a merchant. @param frameUrl what its page frames */
export async function startMerchant(frameUrl: () => Promise<string>): Promise<Merchant> {
  const server = createServer((request, response) => {
    const asks = request.method === 'POST';
    if (asks) merchant.asked += 1;
    void frameUrl().then((url) => {
      response.setHeader('content-type', asks ? 'text/plain' : 'text/html; charset=utf-8');
      response.end(asks ? url : pageOf(url));
    });
  });

  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));

  const { port } = server.address() as AddressInfo;
  const merchant: Merchant = {
    origin: `http://localhost:${port}`,
    asked: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return merchant;
}

/** Returns the portal in the page of the merchant. */
export async function frameOf(page: Page): Promise<Frame> {
  const frame = await (await page.waitForSelector('#portal')).contentFrame();
  if (!frame) throw new Error('no frame');
  return frame;
}
