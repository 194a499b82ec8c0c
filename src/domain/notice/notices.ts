import type { DisabledReason } from '../endpoint/endpoint.entity.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';

/** One automatic disabling of an endpoint, as its notice tells it (H73). */
export interface Disabling {
  readonly account: string;
  readonly endpoint: string;
  readonly url: string;
  /** The endpoint's `notification_email`. */
  readonly recipient: string;
  readonly reason: DisabledReason;
  /** Undefined when the last attempt brought no response. */
  readonly lastResponseStatus?: number | undefined;
}

const insert = {
  name: 'notice-insert',
  text: `insert into notice (id, account_id, endpoint_id, recipient, subject, body, message_id,
           created_at, due_at)
         select id, account_id, endpoint_id, recipient, subject, body, message_id, $8, $8
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
           $7::text[]) as owed (id, account_id, endpoint_id, recipient, subject, body, message_id)`,
};

const reasons: Readonly<Record<DisabledReason, string>> = {
  consecutive_failures: 'every delivery to it has failed for days',
  receiver_gone: 'it answered 410 Gone',
};

/**
 * Owes one mail for each disabling, to be sent after the commit (H73). The mail never holds a
 * secret; its Message-ID is fixed here, so that sending it twice is recognised as one mail.
 */
export async function oweNotices(tx: Tx, disablings: readonly Disabling[]): Promise<void> {
  if (disablings.length === 0) return;
  const host = new URL(tx.rules.baseUrl).hostname;
  const ids = disablings.map(() => makeId('ntc', tx.now));
  await tx.sql(insert, [
    ids,
    disablings.map(({ account }) => account),
    disablings.map(({ endpoint }) => endpoint),
    disablings.map(({ recipient }) => recipient),
    disablings.map(({ url }) => `Webhook endpoint disabled: ${url}`),
    disablings.map((disabling) => bodyOf(tx, disabling)),
    ids.map((id) => `<${id}@${host}>`),
    tx.now,
  ]);
  tx.wake({ kind: 'notify' });
}

function bodyOf(tx: Tx, { endpoint, url, reason, lastResponseStatus }: Disabling): string {
  return [
    `Your webhook endpoint was disabled because ${reasons[reason]}.`,
    '',
    `Endpoint: ${endpoint}`,
    `URL: ${url}`,
    `Reason: ${reason}`,
    `Time: ${tx.now.toISOString()}`,
    `Last response status: ${lastResponseStatus ?? 'none'}`,
    '',
    'It receives no events until you enable it again:',
    '',
    `  PATCH ${tx.rules.baseUrl}/v1/webhooks/endpoints/${endpoint}`,
    '  {"active":true}',
    '',
    'Events that occur meanwhile are not sent later; failed deliveries can be replayed.',
    '',
  ].join('\n');
}
