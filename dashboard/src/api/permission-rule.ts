import type { PermissionLevel } from '../generated/documents.js';

export type Level = PermissionLevel;

const levels: readonly Level[] = ['none', 'read', 'write'];

/** Whether the level `given` includes the level `wanted`. */
export function allows(given: Level, wanted: Level): boolean {
  return levels.indexOf(given) >= levels.indexOf(wanted);
}
