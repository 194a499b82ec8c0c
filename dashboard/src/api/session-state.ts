import { signal } from '@preact/signals';
import type { viewerQuery } from '../generated/documents.js';
import { base } from './base.js';

/** Who uses the dashboard, and what the service lets them do. */
export type Viewer = viewerQuery['viewer'];

/** The session of this browser. */
export type Session =
  | { readonly state: 'unknown' }
  | { readonly state: 'signedOut'; readonly ended: boolean }
  | { readonly state: 'signedIn'; readonly viewer: Viewer };

/** The session of this browser, as the last answer of the service says. */
export const session = signal<Session>({ state: 'unknown' });

/** Other tabs of this browser hear when it signs in or out. */
export const sessionChannel = new BroadcastChannel(`signalpost.session ${base}`);

/** Marks the session as ended by the service. */
export function endSession(): void {
  if (session.value.state === 'signedOut') return;
  session.value = { state: 'signedOut', ended: session.value.state === 'signedIn' };
}
