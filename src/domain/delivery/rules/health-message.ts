import type { NoticeContent } from '../../notice/mail-templates.js';
import type { RetryPolicy } from '../../rules.js';
import type { DisabledReason } from '../../disabled-reason.js';
import type { HealthChange } from './attempt-result.js';
import type { Health } from './health.js';
import { redactUrl } from './redact-url.js';

/** The event types about endpoints. Those of endpoints that subscribe to one are not published. */
export const healthEventTypes = [
  'webhook.endpoint.disabled',
  'webhook.endpoint.failing',
  'webhook.endpoint.recovered',
] as const;

/** An endpoint whose health changed, after the change. */
export interface ChangedEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly recipient: string;
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly disabledReason: DisabledReason | null;
}

type HealthNotice = NoticeContent<'endpoint_disabled' | 'endpoint_failing' | 'endpoint_recovered'>;

/** What a change of health causes: a notice to the owner, and an event. */
export interface HealthMessage {
  readonly notice: HealthNotice;
  readonly event: {
    readonly type: (typeof healthEventTypes)[number];
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Returns the messages that a change of health causes, in order; none for most changes. */
export function healthMessages(
  { health, disable, warn, recovered, lastStatus }: HealthChange,
  endpoint: ChangedEndpoint,
  now: Date,
  { disableAfterMs }: RetryPolicy,
): HealthMessage[] {
  const { id: resourceId, accountId, url, recipient, active, disabledReason } = endpoint;
  const shown = {
    id: resourceId,
    account_id: accountId,
    url: redactUrl(url),
    active,
    disabled_reason: disabledReason,
  };
  const at = now.toISOString();
  const messages: HealthMessage[] = [];
  if (recovered) {
    const run = runOf(recovered);
    messages.push({
      notice: {
        kind: 'endpoint_recovered',
        resourceId,
        recipient,
        data: { url, failingSince: run.failing_since, recoveredAt: at },
      },
      event: {
        type: 'webhook.endpoint.recovered',
        data: { endpoint: shown, ...run, recovered_at: at },
      },
    });
  }
  const failing = { endpoint: shown, ...runOf(health), last_response_status: lastStatus };
  if (disable !== undefined) {
    messages.push({
      notice: {
        kind: 'endpoint_disabled',
        resourceId,
        recipient,
        data: { url, reason: disable, disabledAt: at, lastStatus },
      },
      event: { type: 'webhook.endpoint.disabled', data: { ...failing, disabled_at: at } },
    });
  } else if (warn && health.failingSince) {
    const disablesAt = new Date(health.failingSince.getTime() + disableAfterMs).toISOString();
    messages.push({
      notice: {
        kind: 'endpoint_failing',
        resourceId,
        recipient,
        data: { url, failingSince: failing.failing_since, disablesAt, lastStatus },
      },
      event: { type: 'webhook.endpoint.failing', data: { ...failing, disables_at: disablesAt } },
    });
  }
  return messages;
}

function runOf({ failingSince, failureCount }: Health) {
  return { failing_since: failingSince?.toISOString() ?? '', failure_count: failureCount };
}
