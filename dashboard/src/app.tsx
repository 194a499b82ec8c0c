import type { ComponentType } from 'preact';
import { LocationProvider } from 'preact-iso';
import { base } from './api/base.js';
import { Toasts } from './components/toast.js';

/** All pages. @param gate shows the views to those who may see them, and else how they get in */
export function App({ gate: Gate }: { readonly gate: ComponentType }) {
  return (
    <LocationProvider scope={base}>
      <Gate />
      <Toasts />
    </LocationProvider>
  );
}
