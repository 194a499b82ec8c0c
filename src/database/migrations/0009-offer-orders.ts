import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an offer was accepted by is an order that is there, and of one offer only. The key is judged
 * at the commit: offer, order and checkout name each other in a circle, whichever is written first.
 */
export class OfferOrders1764000009000 implements MigrationInterface {
  name = 'OfferOrders1764000009000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table offer
        add constraint offer_order_id_key unique (order_id),
        add constraint offer_order_id_fkey foreign key (order_id) references "order"
          deferrable initially deferred`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table offer drop constraint offer_order_id_fkey, drop constraint offer_order_id_key`);
  }
}
