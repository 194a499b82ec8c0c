import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type Router from '@koa/router';
import Koa from 'koa';
import { pino } from 'pino';

/** Serves hand-written routes, with the log line of the API, and sends the port to the parent process. */
export function serveRoutes(router: Router, logFile: string): void {
  const log = pino({ timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(logFile));
  const app = new Koa();
  app.use(async (context, next) => {
    const startedAt = performance.now();
    const id = `req_${randomBytes(12).toString('hex')}`;
    context.set('X-Request-Id', id);
    await next();

    log.info(
      {
        request_id: id,
        method: context.method,
        path: context.path,
        status: context.status,
        duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
      },
      'request',
    );
  });

  app.use(router.routes());

  const server = app.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
  process.once('disconnect', () => process.exit());
}

/** Reads a body as UTF-8. */
export async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
