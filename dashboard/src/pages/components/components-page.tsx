import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { Toasts } from '../../components/toast.js';
import { Brand } from '../../shell/shell.js';
import { LanguageSwitch, ThemeSwitch } from '../../shell/switches.js';
import { CodeSamples, NoticeSamples, TextSamples, TokenSamples } from './basic-samples.js';
import { ChartSamples, ListSamples } from './data-samples.js';
import { ActionSamples, DialogSamples, FieldSamples } from './form-samples.js';
import { startSampleService } from './sample-service.js';
import '../account/account.css';
import '../commerce/commerce.css';
import '../deliveries/deliveries.css';
import '../endpoints/endpoints.css';
import '../event-types/event-types.css';
import '../overview/overview.css';
import '../portal/portal.css';
import '../recoveries/recoveries.css';
import './components.css';

const groups = [
  'Tokens',
  'Actions',
  'Texts',
  'Fields',
  'States',
  'Lists',
  'Charts',
  'Code',
  'Dialogs',
];

/** Shows every component in each of its states, for developers of views. Only in development. */
export function ComponentsPage() {
  const [open, setOpen] = useState(false);
  // The page headers among the samples have changed the title and taken the focus.
  useEffect(() => {
    document.title = 'Components · Signalpost';
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, []);

  return (
    <div class="shell">
      <header class="sidebar">
        <Brand />
        <button
          type="button"
          class="button button-quiet menu-button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
        <div id="menu" class={open ? 'menu menu-open' : 'menu'}>
          <nav class="nav" aria-label="Kinds of components">
            {groups.map((group) => (
              <a key={group} href={`#${group.toLowerCase()}`}>
                {group}
              </a>
            ))}
          </nav>
          <div class="menu-end">
            <ThemeSwitch />
            <LanguageSwitch />
          </div>
        </div>
      </header>
      <main class="content stack">
        <header class="page-header">
          <div>
            <h1 tabIndex={-1}>Components</h1>
            <p class="soft">
              What views are built of, by file below <code>dashboard/src</code>. The data is made
              up, and no service is needed.
            </p>
          </div>
        </header>
        <TokenSamples />
        <ActionSamples />
        <TextSamples />
        <FieldSamples />
        <NoticeSamples />
        <ListSamples />
        <ChartSamples />
        <CodeSamples />
        <DialogSamples />
      </main>
    </div>
  );
}

/** Shows the page of components, without a session. Its links lead away from it. */
export function showComponents(root: HTMLElement): void {
  startSampleService();
  render(
    <LocationProvider scope={location.pathname}>
      <ComponentsPage />
      <Toasts />
    </LocationProvider>,
    root,
  );
}
