import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { createCheckout } from '../../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../../src/domain/payment/record-payment.js';
import { refundPayment } from '../../../../src/domain/payment/refunds.js';
import type { DomainError } from '../../../../src/domain/errors.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { issuesOf, refusalOf } from '../../../support/refusal.js';

const connections = 10;

describe('the ledger of an account', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ pool: connections });
  });

  after(() => test.drop());
  beforeEach(async () => {
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  const pay = (unitAmountMinorUnits = 1_000) =>
    database.transact(async (tx) => {
      const { id } = await createCheckout(tx, account, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'x', quantity: 1, unitAmountMinorUnits }],
      });
      return recordPayment(tx, account, { checkout: id, buyerEmail: 'buyer@example.com' });
    });

  const refund = (payment: string, amountMinorUnits?: number) =>
    database.transact((tx) => refundPayment(tx, account, payment, { amountMinorUnits }));
  const rows = <Row extends object>(columns: string, table: string) =>
    test.query<Row>(`select ${columns} from "${table}" where account_id = $1 order by position`, [
      account,
    ]);

  it('H32: numbers entries without gaps, each later than the one before, even when many come at once', async () => {
    const paid = await Promise.all(Array.from({ length: 12 }, () => pay()));
    const mixed = [
      ...paid.map(({ payment }) => refund(payment.id, 400)),
      ...Array.from({ length: 8 }, () => pay()),
      refund(paid[0]!.payment.id, 5_000).catch(() => undefined),
    ];

    await Promise.all(mixed);

    const lengths = { order: 20, payment: 20, refund: 12, invoice: 32 } as const;
    for (const [table, length] of Object.entries(lengths)) {
      const entries = await rows<{ position: number; id: string; at: Date }>(
        'position, id, created_at as at',
        table,
      );

      const positions = entries.map(({ position }) => position);
      expect(positions, table).to.deep.equal(Array.from({ length }, (_, index) => index + 1));

      const times = entries.map(({ at }) => at.getTime());
      expect(new Set(times).size, table).to.equal(length);
      expect(times, table).to.deep.equal([...times].sort((one, other) => one - other));

      const ids = entries.map(({ id }) => id);
      expect(ids, table).to.deep.equal([...ids].sort());
    }

    const numbers = await rows<{ number: string }>('number', 'invoice');
    expect(new Set(numbers.map(({ number }) => number)).size).to.equal(32);
  });

  it('refunds of one payment never exceed what was paid, even when many come at once', async () => {
    const { payment } = await pay(1_000);
    const refusals = new Set<string>();
    const tries: number[] = [];
    let amount = 0;

    /** As many at once as there are connections, so that none waits too long for one. */
    const refundInTurn = async () => {
      while (tries.length < 100) {
        amount = (amount % 40) + 1;
        const made = await refund(payment.id, amount).catch((error: unknown) => {
          refusals.add((error as DomainError).code);
          return undefined;
        });
        tries.push(made?.refund.amountMinorUnits ?? 0);
      }
    };

    await Promise.all(Array.from({ length: connections }, refundInTurn));
    expect(['validation_failed', 'payment_not_refundable']).to.include.members([...refusals]);

    const given = tries.reduce((sum, amount) => sum + amount, 0);
    const [row] = await test.query<{ refunded: number; total: number; billed: number }>(
      `select p.refunded_minor_units::int as refunded,
              (select sum(amount_minor_units)::int from refund where payment_id = p.id) as total,
              (select sum(total_minor_units)::int from invoice
                where payment_id = p.id and type = 'credit_note') as billed
         from payment p where p.id = $1`,
      [payment.id],
    );

    expect(row).to.deep.equal({ refunded: given, total: given, billed: given });
    expect(given).to.be.within(960, 1_000);

    if (given < 1_000) {
      expect(await issuesOf(refund(payment.id, 1_001 - given))).to.deep.equal([
        'amount_exceeds_refundable amount_minor_units',
      ]);
      await refund(payment.id);
    }

    expect((await refusalOf(refund(payment.id))).code).to.equal('payment_not_refundable');
  });

  it('rolls a refund back when a part of it fails', async () => {
    const { payment } = await pay();
    const thrown = await database
      .transact(async (tx) => {
        await refundPayment(tx, account, payment.id, {});
        throw new Error('no');
      })
      .catch((error: unknown) => (error as Error).message);
    expect(thrown).to.equal('no');
    expect(await rows('id', 'refund')).to.deep.equal([]);
    expect(await rows('status', 'payment')).to.deep.equal([{ status: 'succeeded' }]);
    const { creditNote } = await refund(payment.id);
    expect(creditNote).to.include({ number: 'CN-000001', position: 2 });
  });

  it('database constraints guard totals, fees, states, refunds and positions', async () => {
    const { order, payment, invoice } = await pay();
    await refund(payment.id, 300);

    const wrong: [string, RegExp][] = [
      [`update "order" set total_minor_units = 1 where id = '${order.id}'`, /order_totals_check/],
      [`update invoice set tax_minor_units = 1 where id = '${invoice.id}'`, /invoice_totals_check/],
      [`update payment set net_minor_units = 999 where id = '${payment.id}'`, /payment_net_check/],
      [
        `update payment set fee_minor_units = 1001, net_minor_units = -1 where id = '${payment.id}'`,
        /payment_fee_check/,
      ],
      [
        `update payment set refunded_minor_units = 1001 where id = '${payment.id}'`,
        /payment_refunded_check|payment_refunded_status_check/,
      ],
      [
        `update payment set status = 'succeeded' where id = '${payment.id}'`,
        /payment_refunded_status_check/,
      ],
      [`update refund set amount_minor_units = 0`, /refund_amount_minor_units_check/],
      [`update invoice set refund_id = null`, /invoice_refund_check/],
      [`update invoice set position = 1 where type = 'credit_note'`, /invoice_position_key/],
      [`update "order" set position = 0`, /order_position_check/],
    ];
    for (const [statement, constraint] of wrong) {
      const message = await test.query(statement).then(
        () => 'it was written',
        (error: unknown) => (error as Error).message,
      );
      expect(message, statement).to.match(constraint);
    }
  });

  it('reports invalid amounts, reasons and notes of a refund all at once', async () => {
    const { payment } = await pay();
    const input = { amountMinorUnits: 0.5, reason: 'whim' as never, note: 'x'.repeat(501) };
    const work = database.transact((tx) => refundPayment(tx, account, payment.id, input));
    expect(await issuesOf(work)).to.deep.equal([
      'out_of_range amount_minor_units',
      'invalid_value reason',
      'too_long note',
    ]);
  });
});
