import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the warnings about a failing endpoint, and adds the event types about endpoints. */
export class EndpointWarnings1795413600000 implements MigrationInterface {
  name = 'EndpointWarnings1795413600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoint add column warnings smallint not null default 0');
    await runner.query(`insert into event_type
      (id, category, accepts_new_subscriptions, sent, summary, description) values
      ('webhook.endpoint.failing', 'webhooks', true, true, 'Endpoint failing', 'Every attempt to deliver to an endpoint has failed for a quarter, or three quarters, of the time after which it is disabled.'),
      ('webhook.endpoint.recovered', 'webhooks', true, true, 'Endpoint recovered', 'An endpoint that was reported as failing accepted a delivery.'),
      ('webhook.endpoint.disabled', 'webhooks', true, true, 'Endpoint disabled', 'The service disabled an endpoint and cancelled its pending deliveries.')
      on conflict (id) do nothing`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from event_type where id in
      ('webhook.endpoint.failing', 'webhook.endpoint.recovered', 'webhook.endpoint.disabled')`);
    await runner.query('alter table endpoint drop column warnings');
  }
}
