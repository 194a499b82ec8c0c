import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const reloadedKey = 'signalpost.reloaded';
const pauseMs = 60_000;
const headTimeoutMs = 5_000;

/** True when the service has a newer dashboard than this page, and the reader must reload it. */
export const newVersion = signal(false);

/** Counts open forms with input that a reload would lose. */
export const unsavedForms = signal(0);

/** Keeps a new version from reloading the page while a form has unsaved input. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    unsavedForms.value += 1;
    return () => {
      unsavedForms.value -= 1;
    };
  }, [unsaved]);
}

/** Reloads the page, at most once a minute and never over unsaved input. Otherwise sets {@link newVersion}. */
export function reloadForNewVersion(): void {
  const last = lastReload();
  if (unsavedForms.value > 0 || Date.now() - last < pauseMs) {
    newVersion.value = true;
    return;
  }

  try {
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // A framed page may store nothing, so it cannot tell how often it reloads: the reader decides.
    newVersion.value = true;
    return;
  }

  location.reload();
}

/**
 * Loads code of the dashboard. Reloads the page if a newer release has replaced the file.
 * @param again whether the reader asks for it after a failure
 * @throws what `load` throws
 */
export async function loadCode<Code>(load: () => Promise<Code>, again: boolean): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    // A missing file, a dropped connection and leaving the page fail alike: ask the service which it is.
    const status = await statusOf(fileOf(error));
    if (status === 404) reloadForNewVersion();
    // Some browsers never load a failed module again in the same page.
    else if (status === 200 && again && unsavedForms.value === 0) location.reload();
    throw error;
  }
}

/**
 * Reloads the page if a newer release has replaced its script. For a view that threw: a newer service may have
 * sent what this page cannot show.
 */
export async function reloadIfReplaced(): Promise<void> {
  if ((await statusOf(pageScript())) === 404) reloadForNewVersion();
}

/** The file that the error names, else the script of the page. */
function fileOf(error: unknown): string | undefined {
  const [named] = /https?:\/\/\S+\/assets\/[\w.-]+/.exec(String(error)) ?? [];
  return named ?? pageScript();
}

/** The script of the page, which each release replaces. */
function pageScript(): string | undefined {
  return document.querySelector<HTMLScriptElement>('script[type=module]')?.src;
}

/** The status that the service answers now; undefined without an answer. */
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
