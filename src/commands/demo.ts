import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment } from '../config.js';
import { type DemoService, startDemoService } from '../demo/demo-service.js';
import type { Scene } from '../demo/scene.js';
import { tellStory } from '../demo/story.js';
import { outsideOf } from '../launcher/database-path.js';
import { listenForStop } from '../launcher/stop-request.js';

// npm run demo: the whole story in one terminal, on a service of its own that is gone afterwards.

/** What a shell takes for ended by Ctrl-C: 128 and the number of SIGINT. */
const exitWhenStopped = 130;

const say = (line: string) => process.stdout.write(`${line}\n`);
const stop = listenForStop();
const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-demo-'));
// As root PostgreSQL runs as another user, who has to come through here.
chmodSync(dataDir, 0o711);
const folders = [dataDir, outsideOf(dataDir)];
const receivers: Scene['receivers'] = [];
let service: DemoService | undefined;

try {
  say('Starting PostgreSQL, the API and a worker …');
  service = await startDemoService(dataDir, ownEnvironment, stop.signal);
  await Promise.race([tellStory(sceneOf(service)), stop.asked]);
} catch (error) {
  // What was under way when everything was stopped cannot succeed.
  if (!stop.signal.aborted) throw error;
} finally {
  for (const receiver of receivers) await receiver.close();
  await service?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
// The story that was broken off still waits for something.
if (stop.signal.aborted) process.exit(exitWhenStopped);

function sceneOf(running: DemoService): Scene {
  const { id: account = '' } = running.admin('accounts', 'create', '--name', 'Demo shop');
  const tokenOf = (kind: string) =>
    running.admin(
      ...['credentials', 'create', '--account', account, '--kind', kind, '--role', 'owner'],
    )['token'] ?? '';
  const [key, internal] = [tokenOf('live'), tokenOf('internal')] as const;
  return {
    ...{ service: running, account, key, internal },
    ...{ say, received: [], heard: [], receivers },
  };
}
