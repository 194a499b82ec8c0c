import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Toasts } from '../../components/toast.js';
import { ComponentsPage } from './components-page.js';
import { startSampleService } from './sample-service.js';

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
