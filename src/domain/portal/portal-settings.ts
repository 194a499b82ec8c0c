// The portal shows the webhooks of an account to its customers, in a frame on the site of the account. These are
// its settings: which origins may frame it, its colours and its logo. portal-links.ts lets people in.
//
// An account without settings has a portal that no site can frame. A change and its audit entry are one
// transaction; the next load of a page has it.
import { getAccount } from '../account/accounts.js';
import type { Role } from '../account/permission.js';
import type { FieldChange } from '../audit/audit-entry.entity.js';
import { recordChange } from '../audit/audit-log.js';
import { validationFailed } from '../errors.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { isId } from '../values/id.js';
import {
  logoIssues,
  originIssues,
  noTheme,
  type PortalThemeInput,
  themeIssues,
  toTheme,
  mergeThemes,
  type PortalTheme,
} from './portal-input.js';
import type { PortalSettings } from './portal.entity.js';

/** Who may frame the portal of an account, and how it looks. */
export type PortalSettingsView = Readonly<Omit<PortalSettings, 'accountId' | 'updatedAt'>>;

/** Changes of the settings. Absent members stay as they are. */
export interface PortalSettingsInput {
  readonly origins?: readonly string[] | null | undefined;
  readonly theme?: PortalThemeInput | null | undefined;
  /** Null removes the logo. */
  readonly logo?: string | null | undefined;
}

const defaults: PortalSettingsView = { origins: [], theme: noTheme, logo: null };

const findStatement: Statement = {
  name: 'portal_settings_find',
  text: `select p.origins, p.theme, p.logo
           from portal_settings p join account a on a.id = p.account_id and a.erased_at is null
          where p.account_id = $1`,
};

const storeStatement: Statement = {
  name: 'portal_settings_store',
  text: `insert into portal_settings (account_id, origins, theme, logo, updated_at)
         values ($1, $2, $3, $4, $5)
         on conflict (account_id) do update
            set origins = excluded.origins, theme = excluded.theme, logo = excluded.logo,
                updated_at = excluded.updated_at`,
};

/** Two concurrent changes wait for each other here, so that neither undoes the other. */
const lockStatement: Statement = {
  name: 'portal_settings_lock',
  text: 'select from account where id = $1 for no key update',
};

/** Returns the settings of the portal of an account; the defaults if it has stored none. */
export async function findPortalSettings(read: Read, account: string): Promise<PortalSettingsView> {
  if (!isId('acc', account)) return defaults;
  const [settings] = await read.sql<PortalSettingsView>(findStatement, [account]);
  return settings ?? defaults;
}

/**
 * Changes the settings of the portal. The next load of the portal has them.
 * @throws DomainError validation_failed, not_found
 */
export async function updatePortalSettings(
  tx: Tx,
  account: string,
  { origins, theme, logo }: PortalSettingsInput,
): Promise<PortalSettingsView> {
  const issues = [
    ...originIssues(origins ?? []),
    ...themeIssues(theme ?? noTheme),
    ...logoIssues(logo),
  ];
  if (issues.length > 0) throw validationFailed(issues);

  await getAccount(tx, account);
  await tx.sql(lockStatement, [account]);

  const before = await findPortalSettings(tx, account);
  const settings: PortalSettingsView = {
    origins: origins ? [...new Set(origins)] : before.origins,
    theme: theme ? toTheme(theme) : before.theme,
    logo: logo === undefined ? before.logo : logo,
  };

  const changes = changesOf(before, settings);
  if (changes.length === 0) return settings;

  await tx.sql(storeStatement, [
    account,
    JSON.stringify(settings.origins),
    JSON.stringify(settings.theme),
    settings.logo,
    tx.now,
  ]);

  recordChange(tx, { action: 'portal_settings_updated', account, resource: account, changes });

  return settings;
}

/** The audit log shows origins and colours, but of the logo only that it changed. */
function changesOf(before: PortalSettingsView, after: PortalSettingsView): FieldChange[] {
  const themes = (['scheme', 'accent', 'background'] as const).map((name) => ({
    field: name,
    from: before.theme[name],
    to: after.theme[name],
  }));

  const values = [
    { field: 'origins', from: before.origins.join(', '), to: after.origins.join(', ') },
    ...themes,
  ];

  return [
    ...values.filter(({ from, to }) => from !== to),
    ...(before.logo === after.logo ? [] : [{ field: 'logo' }]),
  ];
}

/** The role for which a portal session acts, and how its pages look. */
export interface PortalLook {
  readonly role: Role;
  readonly theme: PortalTheme;
}

const lookStatement: Statement = {
  name: 'portal_session_look',
  text: `select coalesce(s.role, (select m.role from member m where m.id = s.member_id)) as role,
                s.theme from portal_session s where s.id = $1`,
};

/** Returns the look of a portal session; null if it has ended. */
export async function findPortalLook(
  read: Read,
  account: string,
  session: string,
): Promise<PortalLook | null> {
  const [[row], settings] = await Promise.all([
    read.sql<{ role: Role; theme: PortalTheme | null }>(lookStatement, [session]),
    findPortalSettings(read, account),
  ]);
  return row ? { role: row.role, theme: mergeThemes(settings.theme, row.theme) } : null;
}
