import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A merchant's web site on this machine. */
export interface Shop {
  /** At 127.0.0.1. */
  readonly origin: string;
  /** The same site under another name, hence another origin. */
  readonly otherOrigin: string;
  /** What was asked for, in order, with the Referer that came along. */
  readonly visits: readonly { readonly path: string; readonly referer: string | undefined }[];
  /** Makes every page that is asked for from here on show this address in a frame. */
  frame(url: string): void;
  close(): Promise<void>;
}

/** Opens a shop whose pages say which path they are; `/moved` leads on to `/thanks` of the other origin. */
export async function openShop(): Promise<Shop> {
  const visits: { path: string; referer: string | undefined }[] = [];
  let framed = '';
  const server = createServer(({ url: path = '/', headers }, response) => {
    if (path === '/favicon.ico') {
      response.writeHead(404).end();
      return;
    }
    visits.push({ path, referer: headers.referer });
    if (path.startsWith('/moved')) {
      response.writeHead(302, { location: shop.otherOrigin + path.replace('/moved', '/thanks') });
      response.end();
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const frame = path.startsWith('/frame')
      ? `<iframe src="${framed}" title="checkout"></iframe>`
      : '';
    response.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${frame}`);
  });
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shop: Shop = {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    visits,
    frame(url) {
      framed = url;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return shop;
}
