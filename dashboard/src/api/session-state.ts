import { signal } from '@preact/signals';
import type { viewerQuery } from '../generated/documents.js';
import { base, inPortal } from './base.js';
import { allows, type Level } from './permissions.js';

/** Who uses the dashboard, and what the service lets them do. */
export type Viewer = viewerQuery['viewer'];

type Session =
  | { readonly state: 'unknown' }
  | { readonly state: 'signedOut'; readonly ended: boolean }
  | { readonly state: 'signedIn'; readonly viewer: Viewer };

/** The session of this browser, as of the service's last answer. */
export const session = signal<Session>({ state: 'unknown' });

/** Tells the other tabs of this browser about signing in and out. */
export const sessionChannel = new BroadcastChannel(`signalpost.session ${base}`);

/** Marks the session as ended by the service. */
export function endSession(): void {
  if (session.value.state === 'signedOut') return;
  session.value = { state: 'signedOut', ended: session.value.state === 'signedIn' };
}

/** What a permission is about; `account` covers members, keys and the audit log. */
export type Subject = keyof Viewer['permissions'] | 'account';

/** Whether the viewer may do this. Pages offer only what it allows; the service checks again. */
export function can(subject: Subject, level: Level): boolean {
  const current = session.value;
  if (current.state !== 'signedIn') return false;
  const { permissions, member } = current.viewer;
  if (subject !== 'account') return allows(permissions[subject], level);
  // The portal administers nothing: it is framed by another site.
  return !inPortal && (member?.role === 'owner' || member?.role === 'admin');
}
