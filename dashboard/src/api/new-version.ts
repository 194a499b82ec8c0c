import { signal } from '@preact/signals';

const reloadedKey = 'signalpost.reloaded';
const pauseMs = 60_000;
const headTimeoutMs = 5_000;

/** True when the service has a newer dashboard than this page, and a form keeps it from reloading. */
export const newVersion = signal(false);

/** Counts open forms with input that a reload would lose. */
export const unsavedForms = signal(0);

/** Loads the page again, at most once a minute and never over what someone typed. */
export function reloadForNewVersion(): void {
  const last = lastReload();
  if (unsavedForms.value > 0 || Date.now() - last < pauseMs) {
    newVersion.value = true;
    return;
  }
  try {
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // A page of another site may store nothing: its reader decides.
    newVersion.value = true;
    return;
  }
  location.reload();
}

/**
 * Loads code of the dashboard. Loads the page again if a newer release has replaced the file.
 * @param again whether the reader asks for it after a failure
 * @throws what `load` throws
 */
export async function loadCode<Code>(load: () => Promise<Code>, again: boolean): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    // A dropped connection fails like a missing file, and so does leaving the page: ask which it is.
    const status = await statusOf(fileOf(error));
    if (status === 404) reloadForNewVersion();
    // Some browsers keep a failed module as long as the page.
    else if (status === 200 && again && unsavedForms.value === 0) location.reload();
    throw error;
  }
}

/** The file that the browser names, else the script of the page, which a release replaces as well. */
function fileOf(error: unknown): string | undefined {
  const [named] = /https?:\/\/\S+\/assets\/[\w.-]+/.exec(String(error)) ?? [];
  return named ?? document.querySelector<HTMLScriptElement>('script[type=module]')?.src;
}

/** What the service answers now. Undefined without an answer. */
async function statusOf(file: string | undefined): Promise<number | undefined> {
  if (file === undefined) return undefined;
  try {
    const { status } = await fetch(file, {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(headTimeoutMs),
    });
    return status;
  } catch {
    return undefined;
  }
}

function lastReload(): number {
  try {
    return Number(sessionStorage.getItem(reloadedKey) ?? 0);
  } catch {
    return 0;
  }
}
