import { setTimeout as pause } from 'node:timers/promises';
import {
  type Environment,
  processEnvironment,
  type ServiceConfig,
} from '../../src/config/config.js';
import type { Database } from '../../src/database/database.js';
import { commandActor } from '../../src/domain/transaction/actor.js';
import { EventSchemas } from '../../src/domain/event-type/event-schemas.js';
import { CannotOpen, type SealedSecret, Sealer } from '../../src/domain/values/sealer.js';
import { sendTestEvent } from '../../src/domain/test-event/test-event.js';
import { OperatorError } from '../../src/process/explain-error.js';
import { createLogger } from '../../src/process/log.js';
import { openDatabase } from '../../src/process/open-database.js';
import { withEmbedded } from '../launcher/with-database.js';

/** More endpoints than a trial has for one receiver. */
const maxEndpoints = 100;

const findStatement = {
  name: 'receiver-endpoints',
  text: `select e.id, e.account_id as account, s.key_id as "keyId", s.sealed
         from (select id, account_id from endpoint
               where deleted_at is null and (starts_with(url, $1) or starts_with(url, $2))
               order by id desc limit $3) e
           join endpoint_secret s on s.endpoint_id = e.id
         where s.kind = 'signing' and (s.expires_at is null or s.expires_at > now())
         order by e.id desc, s.id desc`,
};

interface Row extends SealedSecret {
  readonly id: string;
  readonly account: string;
}

/** An endpoint of the embedded service whose URL is that of this receiver. */
export interface RegisteredEndpoint {
  readonly id: string;
  readonly account: string;
  /** The secrets that currently sign its deliveries. */
  readonly secrets: readonly string[];
}

const lookMs = 1_000;

/**
 * Finds the endpoints of the embedded service that are registered for `url`, newest first, with their
 * secrets. The keys of `DATA_DIR` open these, so only the owner of that folder can do this.
 * @throws OperatorError if `DATA_DIR` holds no database, or if no key opens the secrets; SchemaMismatch if
 *   migrations are missing
 */
export function findRegistered(
  url: string,
  environment: Environment = processEnvironment,
): Promise<RegisteredEndpoint[]> {
  return withDatabaseOfTrial(environment, (database, config) =>
    readRegistered(database, config, url),
  );
}

/**
 * Waits until an endpoint is registered for `url`.
 * @returns undefined if `signal` ended the wait
 * @throws as {@link findRegistered}, and Error if the database goes away
 */
export function awaitRegistered(
  url: string,
  signal: AbortSignal,
  environment: Environment = processEnvironment,
): Promise<RegisteredEndpoint | undefined> {
  return withDatabaseOfTrial(environment, async (database, config) => {
    for (;;) {
      const [endpoint] = await readRegistered(database, config, url);
      if (endpoint || signal.aborted) return endpoint;
      await pause(lookMs, undefined, { signal }).catch(() => undefined);
    }
  });
}

async function readRegistered(
  database: Database,
  { secretKeys }: ServiceConfig,
  url: string,
): Promise<RegisteredEndpoint[]> {
  const { port } = new URL(url);
  const origins = [`https://localhost:${port}/`, `https://127.0.0.1:${port}/`];
  const rows = await database.read.sql<Row>(findStatement, [...origins, maxEndpoints]);

  const sealer = new Sealer(secretKeys);
  const endpoints = new Map<string, RegisteredEndpoint>();

  for (const { id, account, ...sealed } of rows) {
    const secrets = [...(endpoints.get(id)?.secrets ?? [])];
    const opened = sealer.tryOpen(sealed, id);
    if (!(opened instanceof CannotOpen)) secrets.push(opened);
    endpoints.set(id, { id, account, secrets });
  }

  const all = [...endpoints.values()];
  const signing = all.filter(({ secrets }) => secrets.length > 0);
  if (all[0] && signing.length === 0) {
    throw new OperatorError(
      `No key of SECRET_KEY opens the signing secret of ${all[0].id}. See docs/operations.md, "The key is lost".`,
    );
  }

  return signing;
}

/**
 * Sends a test event to an endpoint; a worker delivers it within a second.
 * @throws DomainError as {@link sendTestEvent}
 */
export async function trigger(
  endpoint: RegisteredEndpoint,
  type: string,
  environment: Environment = processEnvironment,
): Promise<void> {
  await withDatabaseOfTrial(environment, (database) =>
    database.transact((tx) =>
      sendTestEvent(tx, schemasOf(database), endpoint.account, { endpointId: endpoint.id, type }),
    ),
  );
}

function schemasOf({ read }: Database): EventSchemas {
  return new EventSchemas({
    read,
    monotonicMs: () => performance.now(),
    mismatched: () => undefined,
  });
}

function withDatabaseOfTrial<T>(
  environment: Environment,
  work: (database: Database, config: ServiceConfig) => Promise<T>,
): Promise<T> {
  return withEmbedded(async (config) => {
    const log = createLogger('receiver', 'silent');
    const database = await openDatabase(config, { name: 'receiver', log, actor: commandActor });
    try {
      return await work(database, config);
    } finally {
      await database.close();
    }
  }, environment);
}
