import type { Addresses } from './children.js';

/** What the greeting shows. */
export interface Greeting {
  readonly api: Addresses;
  readonly worker: Addresses;
  readonly dataDir: string;
  /** Undefined: the user's own database. */
  readonly embeddedPort: string | undefined;
  /** A live key made for this first start; undefined on later starts, keys are not kept. */
  readonly token: string | undefined;
}

/** The lines that end a start: the addresses and one request to paste. */
export function greeting({ api, worker, dataDir, embeddedPort, token }: Greeting): string {
  const rest = api['rest'] ?? '';
  const internal = api['internal'] ?? '';
  const database = embeddedPort
    ? `${dataDir} (PostgreSQL on 127.0.0.1:${embeddedPort})`
    : `${dataDir} (database: DATABASE_URL)`;
  return [
    '',
    'Signalpost is ready.',
    '',
    `  REST      ${rest}/v1`,
    `  internal  ${internal}/graphql, ${internal}/readyz, ${internal}/metrics`,
    `  worker    ${worker['internal'] ?? ''}/readyz, ${worker['internal'] ?? ''}/metrics`,
    `  data      ${dataDir === '' ? '' : database}`,
    '',
    ...(token ? firstRequest(rest, token) : laterRequest(rest)),
    '',
    'Ctrl-C stops everything; the data stays.',
    '',
  ].join('\n');
}

function firstRequest(rest: string, token: string): string[] {
  return [
    'An account with a live key was made for this first start. The key is shown once; paste:',
    '',
    ...createEndpoint(rest, token),
  ];
}

function laterRequest(rest: string): string[] {
  return [
    'Put a live key into the request below. Make one with:',
    '',
    '  npm run admin -- accounts create --name "My shop"',
    '  npm run admin -- credentials create --account <id> --kind live --role owner',
    '',
    ...createEndpoint(rest, '<key>'),
  ];
}

function createEndpoint(rest: string, token: string): string[] {
  return [
    `  curl -i ${rest}/v1/webhooks/endpoints \\`,
    `    -H 'Authorization: Bearer ${token}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -H 'Idempotency-Key: first-endpoint' \\`,
    `    -d '{"url":"https://localhost:9443/","notification_email":"you@example.com","event_types":["cart.order.completed"]}'`,
  ];
}
