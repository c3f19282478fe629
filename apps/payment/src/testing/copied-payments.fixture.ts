import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentStack } from './payment-stack.fixture.js';

/** Rows of one statement, which has a time limit. */
const ROWS_AT_ONCE = 500;

/** Stores copies of a payment, each with a wallet of its own; their deadlines are not checked for a day. */
export async function copyPayment(
  stack: PaymentStack,
  { id }: PaymentRecord,
  count: number,
): Promise<void> {
  for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
    await stack.sql(
      `INSERT INTO payments
       SELECT (jsonb_populate_record(p, jsonb_build_object(
         'id', gen_random_uuid(), 'due_at', now() + interval '1 day',
         'wallet_address', '0x' || encode(sha256(('wallet ' || n)::bytea), 'hex')::varchar(40)))).*
       FROM payments p, generate_series($2::int, $3::int) AS n WHERE p.id = $1`,
      [id, first, Math.min(first + ROWS_AT_ONCE - 1, count)],
    );
  }
}
