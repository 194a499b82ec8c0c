import type { Middleware } from 'koa';
import type { RequestState } from '../api/request-state.js';
import { loadDashboardFiles, operatorFolder } from '../dashboard-server/dashboard-files.js';
import type { OperatorOptions } from '../dashboard-server/operator-options.js';
import { serveOperators } from '../dashboard-server/serve-operators.js';
import { loadOperatorDocuments } from '../dashboard-server/trusted-documents.js';

interface Options extends Pick<
  OperatorOptions,
  'read' | 'transact' | 'limits' | 'sessions' | 'origin'
> {
  readonly graphql: Omit<OperatorOptions['graphql'], 'documents'>;
}

/** Makes the pages of operators. Clients of the internal listener connect without a proxy that is trusted. */
export async function createOperators(options: Options): Promise<Middleware<RequestState>> {
  return serveOperators({
    ...options,
    files: await loadDashboardFiles(operatorFolder),
    graphql: { ...options.graphql, documents: await loadOperatorDocuments() },
    addressOf: (request) => request.socket.remoteAddress ?? '',
  });
}
