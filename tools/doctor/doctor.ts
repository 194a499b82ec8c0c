// `doctor` checks everything that the service depends on, and reports each problem as a finding.
//
// It changes nothing: it creates, migrates and repairs nothing, and starts only an embedded PostgreSQL that does
// not run, for the duration of the checks. It reports within 10 seconds (H283); a check that takes longer is a
// finding. A crash leaves at most that PostgreSQL, which the next command or `npm start` adopts.
import { existsSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  baseUrlWarning,
  ConfigError,
  type Environment,
  isSet,
  loadConfig,
  loadServiceConfig,
  mailWarning,
  publicListener,
  type ServiceConfig,
} from '../../src/config/config.js';
import { createEgressPolicy } from '../../src/domain/endpoint/egress-policy.js';
import { errorMessage, OperatorError } from '../../src/process/explain-error.js';
import { clusterPath, databaseUrlFile } from '../launcher/data-dir.js';
import { embeddedEnvironment, hasSecretKey, lostKey } from '../launcher/embedded-environment.js';
import {
  acquirePostgres,
  launcherLockFile,
  type PostgresHandle,
} from '../launcher/embedded-postgres.js';
import { holderOf } from '../launcher/file-lock.js';
import { findPostmaster } from '../launcher/postgres-server.js';
import { missingDatabase } from '../launcher/with-database.js';
import { checkPostgres } from './check-postgres.js';
import { checkEgress, checkFonts, checkMail, checkProxies, checkRedis } from './check-services.js';
import { type Finding, ok, problem, type Subject, tooSlow, warning } from './finding.js';

/** The maximum duration of the checks. Operators see a result within 10 seconds. */
interface DoctorLimits {
  /** The wait for an embedded PostgreSQL to start, or for the process that holds its lock. */
  readonly startMs: number;
  /** The time of all checks. */
  readonly allMs: number;
}

const defaultLimits: DoctorLimits = { startMs: 5_000, allMs: 8_500 };

/** A start needs this much: it writes a segment of the write-ahead log and a checkpoint. */
const startBytes = 32 * 1024 * 1024;

/**
 * Checks settings, PostgreSQL, migrations, connections, LISTEN, keys of stored secrets, queue, mail server,
 * egress, fonts and payments.
 * @param report is called with the findings before an embedded PostgreSQL is stopped again
 * @param receiver a host or an https URL to open a connection to
 */
export async function runDoctor(
  environment: Environment,
  report: (findings: readonly Finding[]) => void,
  limits = defaultLimits,
  receiver?: string,
): Promise<void> {
  const signal = AbortSignal.timeout(limits.allMs);
  try {
    if (isSet(environment, 'DATABASE_URL')) {
      const config = loadServiceConfig(environment);
      report(await checkService({ environment, config, receiver }, signal));
    } else {
      await checkEmbedded({ environment, receiver }, report, signal, limits.startMs);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    report(error.problems.map((detail) => problem('settings', detail)));
  }
}

/** What `doctor` checks. */
interface Subjects {
  readonly environment: Environment;
  readonly receiver: string | undefined;
}

async function checkService(
  { environment, receiver, config }: Subjects & { readonly config: ServiceConfig },
  signal: AbortSignal,
  embedded?: EmbeddedPostgres,
): Promise<Finding[]> {
  const { redisUrl, smtpUrl } = config;
  const [proxies, postgres, redis, mail, egress] = await Promise.all([
    checkProxies(config),
    embedded?.isAway ? [] : checkPostgres(config, signal),
    redisUrl === undefined ? [] : inTime('queue', checkRedis(redisUrl), signal),
    smtpUrl === undefined ? [] : inTime('mail', checkMail(smtpUrl), signal),
    checkEgress(config, receiver),
  ]);

  return [
    settingsAreValid,
    ...checkBaseUrl(environment, config),
    ...(embedded ? checkTrialTargets(config) : []),
    ...proxies,
    ...(embedded?.findings ?? []),
    ...postgres,
    ...redis,
    ...mail,
    ...(embedded ? [] : checkMailFolder(environment, config)),
    ...egress,
    await checkFonts(config.pdfFonts),
    checkPayments(config, embedded !== undefined),
  ];
}

/** Waits for a check until `signal`, then reports that it timed out. */
async function inTime(
  subject: Subject,
  check: Promise<Finding>,
  signal: AbortSignal,
): Promise<Finding[]> {
  const late = new Promise<Finding>((resolve) => {
    const report = () => resolve(tooSlow(subject));
    signal.addEventListener('abort', report);
    if (signal.aborted) report();
  });
  return [await Promise.race([check, late])];
}

async function checkEmbedded(
  { environment, receiver }: Subjects,
  report: (findings: readonly Finding[]) => void,
  signal: AbortSignal,
  startMs: number,
): Promise<void> {
  const config = loadConfig(environment);
  const missing = missingFiles(config.dataDir, environment);
  if (missing) {
    report([settingsAreValid, missing]);
    return;
  }

  const embedded = await openEmbedded(resolve(config.dataDir), startMs);
  try {
    // Never called, because the keys exist.
    const database = () => Promise.reject(new OperatorError(lostKey(config.dataDir)));
    const added = await embeddedEnvironment(config, environment, database);
    const serviceConfig = loadServiceConfig({ ...environment, ...added });
    const subjects = { environment, receiver, config: serviceConfig };
    report(await checkService(subjects, signal, embedded));
  } finally {
    await embedded.handle?.leave();
  }
}

interface EmbeddedPostgres {
  readonly isAway: boolean;
  readonly findings: readonly Finding[];
  readonly handle?: PostgresHandle;
}

/** Adopts or starts the PostgreSQL of `dataDir`, or finds out why it cannot be used. */
async function openEmbedded(dataDir: string, limitMs: number): Promise<EmbeddedPostgres> {
  const cluster = clusterPath(dataDir);
  const full = [dataDir, cluster].filter((folder) => existsSync(folder)).find(isFull);
  if (full !== undefined) {
    if (findPostmaster(cluster)) return { isAway: false, findings: [] };
    const detail = `PostgreSQL is not running, and doctor does not start it because the disk of ${full} is full. Free space on that disk first`;
    return { isAway: true, findings: [problem('database', detail)] };
  }

  const signal = AbortSignal.timeout(limitMs);
  let waitsFor = 'it did not start in time';
  const onWait = (reason: string) => (waitsFor = reason);
  try {
    const handle = await acquirePostgres(dataDir, 'doctor', { signal, onWait });
    const findings = handle.startedHere ? [startedForCheck(dataDir)] : [];
    return { isAway: false, findings, handle };
  } catch (error) {
    const reason = signal.aborted ? waitsFor : errorMessage(error);
    const detail = `cannot use the PostgreSQL of ${dataDir}: ${reason}. ${launcherState(dataDir)}`;
    return { isAway: true, findings: [problem('database', detail)] };
  }
}

function launcherState(dataDir: string): string {
  const launcher = holderOf(launcherLockFile(dataDir));
  const state =
    launcher === undefined
      ? 'npm start is not running'
      : `npm start (process ${launcher}) is running`;
  return `${state} on this folder; the log of PostgreSQL is ${join(dataDir, 'postgres.log')}`;
}

function isFull(folder: string): boolean {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  // Some file systems count no files.
  return bavail * bsize < startBytes || (files > 0 && ffree === 0);
}

const settingsAreValid = ok('settings', 'valid');

function checkBaseUrl(environment: Environment, config: ServiceConfig): Finding[] {
  const detail = baseUrlWarning(environment, config);
  return detail === undefined ? [] : [warning('settings', detail)];
}

/** Warns if mails are written to files instead of being sent. */
function checkMailFolder(environment: Environment, config: ServiceConfig): Finding[] {
  const detail = mailWarning(environment, config);
  return detail === undefined ? [] : [warning('mail', detail)];
}

/** Reports a trial that other machines can reach, although it may send requests to this machine. */
function checkTrialTargets(config: ServiceConfig): Finding[] {
  const open = publicListener(config);
  const mayConnect = createEgressPolicy(config.webhooks.allowPrivateTargets);
  if (open === undefined || !['127.0.0.1', '::1'].some((address) => mayConnect(address))) return [];
  const detail = `${open} and WEBHOOKS_ALLOW_PRIVATE_TARGETS allows loopback: any holder of a key can make this machine send requests to itself. Set it to 0, or both hosts to 127.0.0.1`;
  return [problem('settings', detail)];
}

function checkPayments(config: ServiceConfig, embedded: boolean): Finding {
  const { sandboxPayments } = config;
  const open = embedded ? publicListener(config) : undefined;

  if (!sandboxPayments) {
    return ok(
      'payments',
      'SANDBOX_PAYMENTS is 0: the shop takes payments, the hosted checkout page does not',
    );
  }

  const detail =
    'SANDBOX_PAYMENTS is 1: anyone with a checkout_url completes its order without paying';

  if (open !== undefined) {
    const advice = 'set SANDBOX_PAYMENTS to 0, or both hosts to 127.0.0.1';
    return problem('payments', `${open} and ${detail}: ${advice}`);
  }

  return (embedded ? ok : warning)('payments', detail);
}

function startedForCheck(dataDir: string): Finding {
  const detail = `the PostgreSQL of ${dataDir} was not running; doctor started it for this check only`;
  return warning('database', detail);
}

/** Finds missing files that a start would create anew, although the data needs the old ones. */
function missingFiles(dataDir: string, environment: Environment): Finding | undefined {
  const noDatabase = missingDatabase(dataDir);
  if (noDatabase !== undefined) return problem('database', noDatabase);

  const urlFile = databaseUrlFile(dataDir);
  if (!existsSync(urlFile)) {
    const detail = `${urlFile} is missing, and with it the password of the database. Restore the file`;
    return problem('database', detail);
  }
  if (!isSet(environment, 'SECRET_KEY') && !hasSecretKey(dataDir)) {
    return problem('secrets', lostKey(dataDir));
  }
  return undefined;
}
