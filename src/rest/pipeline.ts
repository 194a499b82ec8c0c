import { allows } from '../domain/account/permission.js';
import { DomainError, type Issue, validationFailed } from '../domain/errors.js';
import { throwIfAborted } from '../domain/tx.js';
import { execute as executeOperation } from '../graphql/execute.js';
import type { Call } from './call.js';
import { authenticateRequest } from '../api/credential.js';
import { headerValues } from '../api/header-values.js';
import { readKey as readKeyOf } from './idempotency-key.js';
import { runOnce } from './idempotency.js';
import { readJsonBody, skipBody } from '../api/json-body.js';
import { preferredType } from '../api/negotiation.js';
import { ApiError } from '../api/problem.js';
import { type Policy, type Quota, rateLimitExceeded } from '../api/rate-limit.js';
import { isReplayed } from './replayed-response.js';
import type { BodyIssues } from './validate-body.js';

/** One step of a request. An error ends the request. */
type Stage = (call: Call) => void | Promise<void>;

/** The stages of every request. Their order decides which error wins, and the contract fixes it. */
const admissionStages: readonly Stage[] = [authenticate, authorize, limitRate, negotiate];
const executionStages: readonly Stage[] = [validate, execute];
const readStages: readonly Stage[] = [...admissionStages, ...executionStages];
// claimKey runs the execution stages in the transaction that holds the key.
const writeStages: readonly Stage[] = [...admissionStages, readKey, readBody, claimKey];

/** Takes a request through all stages and sets `call.response`. */
export async function handleCall(call: Call): Promise<void> {
  try {
    await runStages(call, call.route.takesKey ? writeStages : readStages);
  } catch (error) {
    await restoreMailQuota(call);
    throw error;
  }
  if (isReplayed(call.response)) await restoreMailQuota(call);
}

async function runStages(call: Call, stages: readonly Stage[]): Promise<void> {
  const { deadline } = call.incoming;
  for (const stage of stages) {
    throwIfAborted(deadline);
    const pending = stage(call);
    if (pending) await pending;
  }
}

async function authenticate(call: Call): Promise<void> {
  const { incoming, route, dependencies } = call;
  call.viewer = await authenticateRequest(dependencies, incoming, route.credentials);
}

function authorize({ viewer, route: { permission } }: Call): void {
  if (allows(viewer, permission.name, permission.level)) return;
  const detail = `This operation requires the \`${permission.name}\` permission at ${permission.level} level.`;
  throw new ApiError('forbidden', detail, { errors: [{ code: 'permission_missing', detail }] });
}

async function limitRate(call: Call): Promise<void> {
  const { rateLimit } = call.route;
  // A request that sends no mail gets its mail quota back, so it counts as an ordinary request too.
  if (rateLimit === 'mail') await consume(call, 'default');
  call.consumed = await consume(call, rateLimit);
}

async function consume(call: Call, policy: Policy): Promise<Quota> {
  const { account } = call.viewer;
  const quota = await call.dependencies.limits.consume(policy, account);
  call.headers = quota.headers;
  if (!quota.exceeded) return quota;
  if (policy === 'mail') await call.dependencies.limits.restore(policy, account, quota);
  throw rateLimitExceeded(quota);
}

/** Gives the mail quota back to a request that sent no mail. */
async function restoreMailQuota(call: Call): Promise<void> {
  const { consumed, route, viewer, dependencies } = call;
  if (!consumed || route.rateLimit !== 'mail') return;
  const { headers } = await dependencies.limits.restore('mail', viewer.account, consumed);
  call.headers = headers;
}

/** Of responses, and of errors: a client that accepts one of them gets both. */
const mediaTypes = ['application/json', 'application/problem+json'] as const;

function negotiate({ incoming }: Call): void {
  const { accept } = incoming.request.headers;
  if (preferredType(accept, mediaTypes) !== undefined) return;
  const detail = 'The response is available only as application/json.';
  throw new ApiError('not_acceptable', detail);
}

function readKey(call: Call): void {
  call.key = readKeyOf(headerValues(call.incoming.request, 'idempotency-key'));
}

function readBody(call: Call): void | Promise<void> {
  const { route, incoming } = call;
  if (!route.body) return skipBody(incoming.request);
  const { limits, required } = route.body;
  return readJsonBody(incoming.request, limits).then((body) => {
    call.body = body ?? (required || body === null ? body : {});
  });
}

function claimKey(call: Call): Promise<void> {
  return runOnce(call, () => runStages(call, executionStages));
}

function validate(call: Call): void | Promise<void> {
  const { route, incoming } = call;
  call.query = route.readQuery?.(incoming.search);
  call.issues = route.validate?.(call.body);
  // If GraphQL variables can hold the body, the domain validates it too. The client gets all errors
  // at once.
  if (call.issues && !call.issues.wellFormed) return rejectBody(call, call.issues);
}

async function rejectBody(call: Call, { errors, validFields }: BodyIssues): Promise<never> {
  const { subject, handler } = call.route;
  const { params } = call.incoming;
  // 404 takes precedence over 422; only a refused body needs this look-up.
  if (subject) await executeOperation(subject, { id: params['id'] ?? '' }, call.context);
  const domainIssues = await handler.validateInput?.(call.read, call.viewer.account, {
    params,
    body: validFields,
  });
  throw validationFailed([...(domainIssues ?? []), ...errors]);
}

async function execute(call: Call): Promise<void> {
  const { route, incoming, query, body, issues } = call;
  const variables = route.handler.variables({ params: incoming.params, query, body });
  let result: Readonly<Record<string, unknown>>;
  try {
    result = await executeOperation(route.operation, variables, call.context);
  } catch (error) {
    throw issues ? mergeIssues(error, issues.errors) : error;
  }
  // The domain accepted a body that breaks the contract: the transaction rolls back.
  if (issues) throw validationFailed(issues.errors);
  setResponse(call, result);
}

/** The domain's errors, and the contract's errors for fields that the domain did not name. */
function mergeIssues(error: unknown, issues: readonly Issue[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed') return error;
  const named = new Set(error.errors.map(({ param }) => param));
  return validationFailed([...error.errors, ...issues.filter(({ param }) => !named.has(param))]);
}

function setResponse(call: Call, result: Readonly<Record<string, unknown>>): void {
  const { status, omit, handler } = call.route;
  const headers = handler.headers?.(result) ?? {};
  if (status === 204) {
    call.responseBody = undefined;
    call.response = { status, text: null, headers };
    return;
  }
  const body = 'body' in result ? result['body'] : result;
  omit?.(body);
  call.responseBody = body;
  call.response = { status, text: JSON.stringify(body), headers };
}
