import type { Middleware } from 'koa';
import type { RequestState } from '../http/exchange.js';
import { loadDashboardFiles, operatorFolder } from '../http/dashboard/pages.js';
import { type OperatorOptions, serveOperators } from '../http/dashboard/operators.js';
import type { KnownDocuments } from '../graphql/known-documents.js';

interface Options extends Pick<
  OperatorOptions,
  'read' | 'transact' | 'limits' | 'sessions' | 'origin'
> {
  readonly graphql: Omit<OperatorOptions['graphql'], 'documents'>;
  readonly documents: KnownDocuments;
}

/** Makes the pages of operators. Clients of the internal listener connect without a proxy that is trusted. */
export async function createOperators(options: Options): Promise<Middleware<RequestState>> {
  return serveOperators({
    ...options,
    files: await loadDashboardFiles(operatorFolder),
    graphql: { ...options.graphql, documents: options.documents },
    addressOf: (request) => request.socket.remoteAddress ?? '',
  });
}
