import { inPortal } from './base.js';
import { allows, type Level } from './permission-rule.js';
import { session, type Viewer } from './session-state.js';

/** The things that permissions are about; `account` is members, keys and the audit log. */
export type Subject = keyof Viewer['permissions'] | 'account';

/** Whether the viewer may do so. The service decides again; pages offer only what it allows. */
export function can(subject: Subject, level: Level): boolean {
  const current = session.value;
  if (current.state !== 'signedIn') return false;
  const { permissions, member } = current.viewer;
  if (subject !== 'account') return allows(permissions[subject], level);
  // The portal administers nothing: it stands in the page of another site.
  return !inPortal && (member?.role === 'owner' || member?.role === 'admin');
}
