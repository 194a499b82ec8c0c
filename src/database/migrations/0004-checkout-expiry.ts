import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes when a checkout was first visited and when its expiry was told of. What expired before is
 * noted as of then, without an event: nobody had been promised one.
 */
export class CheckoutExpiry1764000004000 implements MigrationInterface {
  name = 'CheckoutExpiry1764000004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table checkout add column visited_at timestamptz(3), add column expired_at timestamptz(3)`);
    await runner.query(`
      update checkout set expired_at = expires_at where order_id is null and expires_at <= now()`);
    await runner.query(`
      create index checkout_expiring on checkout (expires_at)
       where order_id is null and expired_at is null`);
    await runner.query(`update event_type set sent = true where id = 'cart.checkout.expired'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update event_type set sent = false where id = 'cart.checkout.expired'`);
    await runner.query('alter table checkout drop column expired_at, drop column visited_at');
  }
}
