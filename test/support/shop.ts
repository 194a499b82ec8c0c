import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The web site of a merchant on this machine. */
export interface Shop {
  /** The origin with 127.0.0.1. */
  readonly origin: string;
  /** The same site with the name localhost, which is another origin. */
  readonly otherOrigin: string;
  /** The requests in order, with their Referer. */
  readonly visits: readonly { readonly path: string; readonly referer: string | undefined }[];
  /** Sets the URL in the frame of pages below /frame. */
  frame(url: string): void;
  close(): Promise<void>;
}

/** Opens a shop; `/moved` redirects to `/thanks` of the other origin. */
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
