import type { Role } from '../account/permission.js';
import type { Read, Statement } from '../tx.js';
import { findPortalSettings } from './portal-settings.js';
import { mergeThemes, type PortalTheme } from './portal-theme.js';

/** As what a portal session acts, and how its pages look. */
export interface PortalLook {
  readonly role: Role;
  readonly theme: PortalTheme;
}

const lookStatement: Statement = {
  name: 'portal_session_look',
  text: `select coalesce(s.role, (select m.role from member m where m.id = s.member_id)) as role,
                s.theme from portal_session s where s.id = $1`,
};

/** Returns the look of a portal session; null when it has ended. */
export async function findPortalLook(
  read: Read,
  account: string,
  session: string,
): Promise<PortalLook | null> {
  const [[found], settings] = await Promise.all([
    read.sql<{ role: Role; theme: PortalTheme | null }>(lookStatement, [session]),
    findPortalSettings(read, account),
  ]);
  return found ? { role: found.role, theme: mergeThemes(settings.theme, found.theme) } : null;
}
