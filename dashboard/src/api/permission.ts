import { allows, type Level } from './permission-rule.js';
import { session, type Viewer } from './session-state.js';

/** The things that permissions are about. */
export type Subject = keyof Viewer['permissions'];

/** Whether the viewer may do so. The service decides again; pages offer only what it allows. */
export function can(subject: Subject, level: Level): boolean {
  const current = session.value;
  return current.state === 'signedIn' && allows(current.viewer.permissions[subject], level);
}
