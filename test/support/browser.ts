import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/** Names of the program on Debian, Ubuntu and others. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const executable = names.find((name) => spawnSync(name, ['--version']).status === 0);

/** The reason why browser tests are pending; undefined when a browser is installed. */
export const browserMissing: string | undefined =
  executable === undefined
    ? `no ${names.slice(0, 3).join(', ')} found: install one (Debian: chromium) to run this`
    : undefined;

/** Parts of Chromium that draw its own windows. Their pages take two processes for each page of a test. */
const ownPages = [
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];
/** What Playwright switches off: only the last list of an option counts. */
const switchedOffByPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Starts a headless Chromium with its own profile. It reaches only this machine. */
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
      `--disable-features=${[...switchedOffByPlaywright, ...ownPages].join()}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
