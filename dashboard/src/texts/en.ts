import { audit, keys, members, sessions } from './en/account.js';
import { attempt, event } from './en/attempt.js';
import { commerce } from './en/commerce.js';
import { common } from './en/common.js';
import { deliveries, live } from './en/deliveries.js';
import { endpointForm } from './en/endpoint-form.js';
import { endpoints } from './en/endpoints.js';
import { eventTypes } from './en/event-types.js';
import { overview } from './en/overview.js';
import { portal, portalSettings } from './en/portal.js';
import { recoveries } from './en/recoveries.js';
import { shell } from './en/shell.js';
import { signIn } from './en/sign-in.js';

/** Every text of the dashboard. Another language has the type `Texts`, so that no text is missing. */
export const en = {
  attempt,
  audit,
  commerce,
  common,
  deliveries,
  endpointForm,
  endpoints,
  event,
  eventTypes,
  keys,
  live,
  members,
  overview,
  portal,
  portalSettings,
  recoveries,
  sessions,
  shell,
  signIn,
} as const;

/** The type of every language: the keys of English with other texts. */
export type Texts = Translated<typeof en>;
/** The type of texts in another language. */
export type Translated<Text> = Text extends string
  ? string
  : { readonly [Key in keyof Text]: Translated<Text[Key]> };
