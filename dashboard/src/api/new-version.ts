import { signal } from '@preact/signals';

const reloadedKey = 'signalpost.reloaded';
const pauseMs = 60_000;

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

function lastReload(): number {
  try {
    return Number(sessionStorage.getItem(reloadedKey) ?? 0);
  } catch {
    return 0;
  }
}
