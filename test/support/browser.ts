import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian, Ubuntu and others put it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const executable = names.find((name) => spawnSync(name, ['--version']).status === 0);

/** Why the browser runs are pending; undefined when there is a browser. */
export const browserMissing: string | undefined =
  executable === undefined
    ? `no ${names.slice(0, 3).join(', ')} found: install one (Debian: chromium) to run this`
    : undefined;

/** Starts a headless Chromium with a profile of its own that reaches nothing but this machine. */
export async function startBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error(browserMissing);
  const { stdout } = spawnSync('which', [executable], { encoding: 'utf8' });
  return chromium.launch({
    executablePath: stdout.trim(),
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
