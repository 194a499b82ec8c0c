import type { Cluster } from './cluster.js';
import { createEndpoint } from './endpoints.js';
import { eventually } from './eventually.js';
import { type Receiver, startReceiver } from './receiver.js';
import { reconcile, type Reconciliation, type ReconciliationOptions } from './reconciliation.js';
import { type Service, startService } from './service.js';
import { createTenant, GraphqlRefusal, type Tenant } from './tenants.js';

/** A stream of events through the API of a whole service, with the reconciliation of its deliveries. */
export interface ApiEventStream {
  readonly service: Service;
  readonly tenant: Tenant;
  readonly receiver: Receiver;
  /** The signing secret of the endpoint. */
  readonly secret: string;
  /** Ids of the acknowledged events, by idempotency key. */
  readonly acked: ReadonlyMap<string, string>;
  /** How often a publish got what is no acknowledgement: status and code, or the error of the connection. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Publishes one event with its own key. */
  publish(): Promise<void>;
  /** Publishes until `done` resolves. Repeats each event with the same key until it is acknowledged. */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Reconciles everything acknowledged so far. @see reconcile */
  close(title: string, options?: ReconciliationOptions): Promise<Reconciliation>;
  drop(): Promise<void>;
}

/** The number of callers; each publishes one event after the other. */
const callers = 3;

/** Opens a stream on its own service. @param cluster the cluster of its database */
export async function openApiEventStream({
  redisUrl,
  cluster,
  workers = 1,
}: {
  readonly redisUrl?: string | undefined;
  readonly cluster?: Cluster;
  readonly workers?: number;
}): Promise<ApiEventStream> {
  const receiver = await startReceiver();
  const service = await startService({
    workers,
    ...(cluster && { cluster }),
    // A lease is the timeout plus 4 s: claims of a killed worker are sent again after that.
    environment: { WEBHOOKS_TIMEOUT: '1s', ...(redisUrl !== undefined && { REDIS_URL: redisUrl }) },
  });
  const tenant = await createTenant(service);
  const { signing_secret: secret } = await createEndpoint(tenant.rest, { url: receiver.url() });
  const acked = new Map<string, string>();
  const refusals = new Map<string, number>();
  const count = (error: unknown) => {
    const refusal = refusalOf(error);
    refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
  };
  let keys = 0;
  const publish = async () => {
    const key = `key-${(keys += 1)}`;
    const id = await untilAcknowledged(() => tenant.publish({ key, data: { key } }), key, count);
    acked.set(key, id);
  };
  return {
    service,
    tenant,
    receiver,
    secret,
    acked,
    refusals,
    publish,
    async publishUntil(done) {
      const state = { going: true };
      const ended = done.finally(() => (state.going = false));
      const calling = Array.from({ length: callers }, async () => {
        while (state.going) await publish();
      });
      await Promise.all([ended, ...calling]);
    },
    close: (title, options) =>
      reconcile(
        title,
        { redisUrl, acked: [...acked.values()], receiver, database: service.database },
        options,
      ),
    async drop() {
      await service.stop();
      await receiver.close();
    },
  };
}

/** Such as `503 service_unavailable`, or `UND_ERR_SOCKET` for a connection that was cut. */
function refusalOf(error: unknown): string {
  if (error instanceof GraphqlRefusal) return `${error.status} ${error.code}`;
  const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
  return cause?.code ?? message;
}

/**
 * Repeats the call until it gets a response, as clients do with an idempotency key.
 * @param refused called with the error of each call that is repeated
 * @throws GraphqlRefusal unless its code is service_unavailable
 */
export async function untilAcknowledged<T>(
  call: () => Promise<T>,
  what: string,
  refused: (error: unknown) => void = () => undefined,
): Promise<T> {
  const outcome = await eventually(
    () =>
      call().then(
        (value) => ({ value }),
        (error: unknown) => {
          const isServerError =
            error instanceof GraphqlRefusal && error.code !== 'service_unavailable';
          if (isServerError) return { error };
          refused(error);
          throw error;
        },
      ),
    `${what} is acknowledged`,
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
