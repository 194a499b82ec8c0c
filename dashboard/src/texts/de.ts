import { audit, keys, members, sessions } from './de/account.js';
import { attempt, event } from './de/attempt.js';
import { commerce } from './de/commerce.js';
import { common } from './de/common.js';
import { deliveries, live } from './de/deliveries.js';
import { endpointForm } from './de/endpoint-form.js';
import { endpoints } from './de/endpoints.js';
import { eventTypes } from './de/event-types.js';
import { overview } from './de/overview.js';
import { portal, portalSettings } from './de/portal.js';
import { recoveries } from './de/recoveries.js';
import { shell } from './de/shell.js';
import { signIn } from './de/sign-in.js';
import type { Texts } from './en.js';

/*
 * One German word for each thing, and "Sie" for the reader. Words of the field stay: Webhook, Header,
 * Body, Host, Dead Letter, Checkout.
 *
 * abandoned       aufgegeben                 member          Mitglied
 * account         Konto                      order           Bestellung
 * API key         API-Schlüssel              outcome         Ergebnis
 * attempt         Versuch                    overview        Übersicht
 * audit log       Audit-Protokoll            permission      Berechtigung
 * buyer           Käufer                     rate limit      Ratenlimit
 * credit note     Gutschrift                 receiver        Empfänger
 * delivery        Zustellung                 recovery        Nachlieferung
 * disable         deaktivieren               refund          Erstattung, erstatten
 * due             fällig                     replay          erneute Zustellung, erneut zustellen
 * enable          aktivieren                 request         Anfrage
 * endpoint        Endpunkt                   response        Antwort
 * event           Ereignis                   retry           Wiederholung
 * event type      Ereignistyp                revoke          widerrufen
 * failed          fehlgeschlagen             rotate          rotieren
 * failing         gestört                    sales           Verkäufe
 * healthy         in Ordnung                 session         Sitzung
 * invoice         Rechnung                   signature       Signatur
 * lag             Rückstand                  signing secret  Signaturgeheimnis
 * latency         Latenz                     test event      Testereignis
 * live tail       Live-Ansicht               viewer (role)   Betrachter
 * missed          verpasst                   waiting         wartend
 */
/** Every text of the dashboard in German. */
export const de = {
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
} satisfies Texts;
