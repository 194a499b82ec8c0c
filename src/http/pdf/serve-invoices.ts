import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { getInvoiceDocument } from '../../domain/payment/invoice-document.js';
import type { Read } from '../../domain/transaction/tx.js';
import { methodReply, readOnly, type RequestState } from '../exchange.js';
import { matchesEtag } from '../headers.js';
import type { RateLimits } from '../rate-limits.js';
import { PdfRenderer } from './renderer.js';

interface InvoiceRouteOptions {
  readonly read: Read;
  readonly limits: RateLimits;
  readonly pdfRenderer: PdfRenderer;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/**
 * Serves `pdf_url`. The URL is the secret, so it appears in no log, search index or Referer header.
 * Each client address has the same rate limit as for pages.
 */
export function serveInvoices({
  read,
  limits,
  pdfRenderer,
  addressOf,
}: InvoiceRouteOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    const { state, method, path } = ctx;
    if (!path.startsWith('/documents/')) return next() as Promise<void>;

    const [, id = '', tag = ''] =
      /^\/documents\/([A-Za-z0-9_]+)\/([0-9a-f]+)\.pdf$/.exec(path) ?? [];
    state.operation = 'document';
    state.path = `/documents/${id}`;
    await limits.admit(addressOf(ctx.req));
    state.reply = methodReply(method, readOnly);
    if (state.reply) return;

    const document = await getInvoiceDocument(read, id, tag);
    const hash = PdfRenderer.contentHashOf(document);

    // A weak ETag: another release may render the same content into other bytes.
    const etag = `W/"${hash}"`;
    if (matchesEtag(ctx.get('If-None-Match'), etag)) {
      state.reply = { status: 304, headers: { ETag: etag }, text: null };
      return;
    }

    state.reply = {
      status: 200,
      headers: {
        ETag: etag,
        'Content-Type': 'application/pdf',
        'Content-Disposition': `inline; filename="${document.number}.pdf"`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex',
      },
      // Only rendering gives the length, and HEAD may omit it (RFC 9110 §9.3.2).
      text: method === 'HEAD' ? null : await pdfRenderer.render(document, hash),
    };
  };
}
