import type { Addresses } from './child-process.js';
import type { FirstAccount } from './create-first-account.js';

export interface StartMessageOptions {
  readonly api: Addresses;
  readonly worker: Addresses;
  readonly dataDir: string;
  /** Undefined with DATABASE_URL. */
  readonly embeddedPort: string | undefined;
  /** Undefined on later starts: the token is stored nowhere. */
  readonly first: FirstAccount | undefined;
}

/** Returns the last lines of a start: the addresses and one request to paste. */
export function startMessage({
  api,
  worker,
  dataDir,
  embeddedPort,
  first,
}: StartMessageOptions): string {
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
    ...(first ? [`  account   ${first.id}`] : []),
    '',
    ...(first ? firstRequest(rest, first) : laterRequest(rest)),
    '',
    'Ctrl-C stops everything and keeps your data.',
    '',
  ].join('\n');
}

function firstRequest(rest: string, { token, link }: FirstAccount): string[] {
  return [
    'This first start created an account and a live key, which is shown only once. Paste:',
    '',
    ...createEndpointCommand({ ...firstEndpoint, rest, token }),
    '',
    ...(link === undefined ? [] : openDashboard(link)),
    ...listenCommands(rest, 'Or print events as they happen. The login asks for the key:'),
  ];
}

function openDashboard(link: string): string[] {
  return [
    'Or open the dashboard as the owner of the account. The link works once and expires after 15 minutes:',
    '',
    `  ${link}`,
    '',
  ];
}

function laterRequest(rest: string): string[] {
  return [
    'Put a live key into the request below. Create one with:',
    '',
    '  npm run admin -- accounts list     # or: accounts create --name "My shop"',
    '  npm run admin -- credentials create --account <id> --kind live --role owner',
    '',
    ...createEndpointCommand({ ...firstEndpoint, rest, token: '<key>' }),
    '',
    'Open the dashboard with a link. Print one with:',
    '',
    '  npm run admin -- members list --account <id>',
    '  npm run admin -- dashboard-link --member <id>',
    '',
    ...listenCommands(rest, 'Print events as they happen. The login asks for the key:'),
  ];
}

function listenCommands(rest: string, text: string): string[] {
  return [
    text,
    '',
    `  npm run --silent cli -- login --url ${rest}`,
    '  npm run --silent cli -- listen',
  ];
}

/** The endpoint that `npm run receiver` serves without options. */
const firstEndpoint = {
  url: 'https://localhost:9443/',
  eventType: 'cart.order.completed',
  idempotencyKey: 'first-endpoint',
};

/** Returns the command that creates an endpoint, as lines to paste. */
export function createEndpointCommand(endpoint: {
  readonly rest: string;
  readonly token: string;
  readonly url: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
}): string[] {
  const { rest, token, url, eventType, idempotencyKey } = endpoint;
  return [
    `  curl -i ${rest}/v1/webhooks/endpoints \\`,
    `    -H 'Authorization: Bearer ${token}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -H 'Idempotency-Key: ${idempotencyKey}' \\`,
    `    -d '{"url":"${url}","notification_email":"you@example.com","event_types":["${eventType}"]}'`,
  ];
}
