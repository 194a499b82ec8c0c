// npm run demo: shows all features in one terminal, on a temporary service.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printable } from '../../cli/output/text.js';
import { processEnvironment } from '../../src/config/config.js';
import { externalFolderOf } from '../launcher/data-dir.js';
import { listenForStop } from '../launcher/stop-request.js';
import { type DemoService, startDemoService } from './service.js';
import { type DemoContext, runWalkthrough } from './walkthrough.js';

/** The exit code that shells expect after Ctrl-C: 128 plus the number of SIGINT. */
const interruptedExitCode = 130;

const print = (line: string) => void process.stdout.write(`${printable(line)}\n`);
const stop = listenForStop();
const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-demo-'));
// Started by root, PostgreSQL runs as another user, which must be able to pass this folder.
chmodSync(dataDir, 0o711);
const folders = [dataDir, externalFolderOf(dataDir)];
const receivers: DemoContext['receivers'] = [];
let service: DemoService | undefined;

try {
  print('Starting PostgreSQL, the API and a worker …');
  service = await startDemoService(dataDir, processEnvironment, stop.signal);
  await Promise.race([runWalkthrough(createDemoContext(service)), stop.requested]);
} catch (error) {
  // After a stop, the step that was running is expected to fail.
  if (!stop.signal.aborted) throw error;
} finally {
  for (const receiver of receivers) await receiver.close();
  await service?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
// The interrupted walkthrough still waits and would keep this process alive.
if (stop.signal.aborted) process.exit(interruptedExitCode);

function createDemoContext(running: DemoService): DemoContext {
  const { id: account = '' } = running.admin('accounts', 'create', '--name', 'Demo shop');
  const tokenOf = (kind: string) =>
    running.admin('credentials', 'create', '--account', account, '--kind', kind, '--role', 'owner')[
      'token'
    ] ?? '';

  const key = tokenOf('live');
  const internalToken = tokenOf('internal');
  return {
    service: running,
    account,
    key,
    internalToken,
    print,
    received: [],
    deliveryLines: [],
    receivers,
  };
}
