/*
 * Starts the dashboard of members, or the portal of an account: the address decides. Both have the same views,
 * but different gates, which decide how a visitor signs in.
 *
 * The theme is imported first. All other modules wait for the texts, and the page must not flash meanwhile.
 */
import './shell/theme.js';
import { render } from 'preact';
import { base, inPortal } from './api/base.js';
import { App, Gate } from './app.js';
import { followOtherTabs } from './api/session.js';
import { lazyPart } from './components/lazy-part.js';
import { FailedStart } from './shell/fallbacks.js';
import { language } from './texts/language.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/surfaces.css';
import './styles/shell.css';

document.documentElement.lang = language;
const root = document.getElementById('app');
if (root && inPortal) {
  const PortalGate = lazyPart(
    () => import('./portal/portal-gate.js').then((module) => module.PortalGate),
    FailedStart,
  );
  render(<App gate={PortalGate} />, root);
} else if (root && import.meta.env.DEV && location.pathname === `${base}/_components`) {
  void import('./pages/components/components-page.js').then(({ showComponents }) => {
    showComponents(root);
  });
} else if (root) {
  followOtherTabs();
  render(<App gate={Gate} />, root);
}
