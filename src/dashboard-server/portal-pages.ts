import { createHash } from 'node:crypto';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/request-state.js';
import { readLogo } from '../domain/portal/portal-input.js';
import { findPortalSettings } from '../domain/portal/portal-settings.js';
import type { Read } from '../domain/tx.js';
import type { DashboardFiles } from './dashboard-files.js';
import { notBuilt, pageHeaders, withMeta } from './pages.js';

/**
 * The page of a portal. Its path names the account, because the browser must know who may frame the
 * page before anyone has a session. An unknown account is framed by no one, as one without origins.
 */
export async function portalPage(
  files: DashboardFiles | undefined,
  read: Read,
  account: string,
): Promise<Reply> {
  if (files === undefined) return notBuilt;
  const { origins, theme, logo } = await findPortalSettings(read, account);
  const version = logo && createHash('sha256').update(logo).digest('hex').slice(0, 16);
  // Who may frame the page is in its policy too, and its look is no secret.
  const meta = JSON.stringify({ origins, theme, logo: version && `logo?v=${version}` });
  return {
    status: 200,
    headers: pageHeaders(origins),
    text: withMeta(files.index, 'portal', meta),
  };
}

/** The logo of an account. Its address has a hash of it. @throws ApiError not_found */
export async function portalLogo(read: Read, account: string): Promise<Reply> {
  const { logo } = await findPortalSettings(read, account);
  const image = logo === null ? undefined : readLogo(logo);
  if (!image) throw new ApiError('not_found', 'This portal has no logo.');
  return {
    status: 200,
    headers: {
      'Content-Type': image.type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'public, max-age=86400',
    },
    text: image.content,
  };
}
