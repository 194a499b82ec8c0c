import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';

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
