import { allows } from '../domain/account/permission.js';
import { DomainError, type ErrorEntry, validationFailed } from '../domain/errors.js';
import { refuseAborted } from '../domain/tx.js';
import { execute as executeOperation } from '../graphql/execute.js';
import type { Call } from './call.js';
import { viewerOf } from './credential.js';
import { headerValues } from './header-values.js';
import { readKey as readKeyOf } from './idempotency-key.js';
import { isReplayed, once } from './idempotent.js';
import { readJsonBody, skipBody } from './json-body.js';
import { acceptsJson } from './negotiation.js';
import { Refused } from './problem.js';
import { type Policy, type Quota, tooMany } from './rate-limit.js';
import type { BodyFaults } from './validate.js';

/** One step in the life of a request; what it throws ends it. */
type Stage = (call: Call) => void | Promise<void>;

/** The life of every request, in the order of the contract (H47). */
const admission: readonly Stage[] = [authenticate, authorise, limitRate, negotiate];
const work: readonly Stage[] = [validate, execute];
const reading: readonly Stage[] = [...admission, ...work];
// The last holds the key: `work` runs in its transaction.
const changing: readonly Stage[] = [...admission, readKey, readBody, claimKey];

/** Takes a request through all stages; afterwards `call.answer` is there. */
export async function serveCall(call: Call): Promise<void> {
  try {
    await pass(call, call.route.takesKey ? changing : reading);
  } catch (error) {
    await giveBackMail(call);
    throw error;
  }
  if (isReplayed(call.answer)) await giveBackMail(call);
}

async function pass(call: Call, stages: readonly Stage[]): Promise<void> {
  const { deadline } = call.arrival;
  for (const stage of stages) {
    refuseAborted(deadline);
    const waiting = stage(call);
    if (waiting) await waiting;
  }
}

async function authenticate(call: Call): Promise<void> {
  const { arrival, route, world } = call;
  call.viewer = await viewerOf(world, arrival, route.credentials);
}

function authorise({ viewer, route: { permission } }: Call): void {
  if (allows(viewer, permission.name, permission.level)) return;
  const detail = `This operation requires the \`${permission.name}\` permission at ${permission.level} level.`;
  throw new Refused('forbidden', detail, { errors: [{ code: 'permission_missing', detail }] });
}

async function limitRate(call: Call): Promise<void> {
  const { rateLimit } = call.route;
  // What sends no mail is given back there, so it counts as any other request as well.
  if (rateLimit === 'mail') await take(call, 'default');
  call.taken = await take(call, rateLimit);
}

async function take(call: Call, policy: Policy): Promise<Quota> {
  const { account } = call.viewer;
  const quota = await call.world.limits.take(policy, account);
  call.headers = quota.headers;
  if (!quota.exceeded) return quota;
  if (policy === 'mail') await call.world.limits.giveBack(policy, account, quota);
  throw tooMany(quota);
}

/** A request that sent no mail leaves the limit of mails as it was. */
async function giveBackMail(call: Call): Promise<void> {
  const { taken, route, viewer, world } = call;
  if (!taken || route.rateLimit !== 'mail') return;
  const { headers } = await world.limits.giveBack('mail', viewer.account, taken);
  call.headers = headers;
}

function negotiate({ arrival }: Call): void {
  if (acceptsJson(arrival.request.headers.accept)) return;
  const detail = 'The response is available only as application/json.';
  throw new Refused('not_acceptable', detail);
}

function readKey(call: Call): void {
  call.key = readKeyOf(headerValues(call.arrival.request, 'idempotency-key'));
}

function readBody(call: Call): void | Promise<void> {
  const { route, arrival } = call;
  if (!route.body) return skipBody(arrival.request);
  const { limits, required } = route.body;
  return readJsonBody(arrival.request, limits).then((body) => {
    call.body = body ?? (required || body === null ? body : {});
  });
}

function claimKey(call: Call): Promise<void> {
  return once(call, () => pass(call, work));
}

function validate(call: Call): void | Promise<void> {
  const { route, arrival } = call;
  call.query = route.readQuery?.(arrival.search);
  call.faults = route.body?.validate(call.body);
  // What a GraphQL variable can hold the domain judges too, and names its own refusals with it.
  if (call.faults && !call.faults.wellFormed) return refuseBody(call, call.faults);
}

async function refuseBody(call: Call, { errors, sound }: BodyFaults): Promise<never> {
  const { subject, row } = call.route;
  const { params } = call.arrival;
  // 404 wins over 422 (H47); only a refused body pays for the look.
  if (subject) await executeOperation(subject, { id: params['id'] ?? '' }, call.context);
  const judged = await row.judge?.(call.read, call.viewer.account, { params, body: sound });
  throw validationFailed([...(judged ?? []), ...errors]);
}

async function execute(call: Call): Promise<void> {
  const { route, arrival, query, body, faults } = call;
  const variables = route.row.variables({ params: arrival.params, query, body });
  let result: Readonly<Record<string, unknown>>;
  try {
    result = await executeOperation(route.operation, variables, call.context);
  } catch (error) {
    throw faults ? withFaults(error, faults.errors) : error;
  }
  // Whatever the domain thinks, the contract was broken: the transaction rolls back.
  if (faults) throw validationFailed(faults.errors);
  answer(call, result);
}

/** The domain's refusals, and those of the contract for fields that it did not name. */
function withFaults(error: unknown, faults: readonly ErrorEntry[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed') return error;
  const named = new Set(error.errors.map(({ param }) => param));
  return validationFailed([...error.errors, ...faults.filter(({ param }) => !named.has(param))]);
}

function answer(call: Call, result: Readonly<Record<string, unknown>>): void {
  const { status, omit, row } = call.route;
  const headers = row.headers?.(result) ?? {};
  if (status === 204) {
    call.answered = undefined;
    call.answer = { status, text: null, headers };
    return;
  }
  const body = 'body' in result ? result['body'] : result;
  omit?.(body);
  call.answered = body;
  call.answer = { status, text: JSON.stringify(body), headers };
}
