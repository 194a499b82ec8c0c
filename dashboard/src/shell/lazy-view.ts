import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { lazyPart, type Load } from '../components/lazy-part.js';
import { FailedPage } from './failed-page.js';

/** A view whose code is loaded when it is opened. The view before stays until then. */
export function lazyView(load: Load<object>): ComponentType {
  // The router leaves a rejection unhandled, and keeps it for every later click.
  return lazy(() => load().catch(() => lazyPart(load, FailedPage)));
}
