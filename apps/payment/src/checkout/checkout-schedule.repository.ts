import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface Turn {
  paymentId: string;
  /** The claim's `due_at`, as text: a Date would lose its microseconds. */
  lease: string;
  next: Date | null;
  answeredAt: Date | null;
}

/** Callbacks that make one order due; a genuine order has a few. */
const MAX_CALLBACKS = 100;

/** Schedules polls of orders; no change of a payment, so no event. */
@Injectable()
export class CheckoutScheduleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** False for a recorded callback, one about no open order, and one too many: polls notice the rest. */
  async callBack(provider: string, callbackId: string, paymentId: string): Promise<boolean> {
    const [made]: [unknown[], number] = await this.dataSource.query(
      `WITH called AS (
         SELECT payment_id FROM checkouts
         WHERE payment_id = $3 AND provider = $1 AND due_at IS NOT NULL AND callbacks < $4
       ), callback AS (
         INSERT INTO provider_callbacks (provider, callback_id, payment_id)
         SELECT $1, $2, payment_id FROM called
         ON CONFLICT DO NOTHING RETURNING 1
       )
       UPDATE checkouts SET due_at = now(), callbacks = callbacks + 1 FROM called, callback
       WHERE checkouts.payment_id = called.payment_id AND checkouts.due_at IS NOT NULL
       RETURNING 1`,
      [provider, callbackId, paymentId, MAX_CALLBACKS],
    );
    return made.length > 0;
  }

  /** Reschedules an order after a poll, unless a callback has made it due meanwhile. */
  async asked({ paymentId, lease, next, answeredAt }: Turn): Promise<void> {
    await this.dataSource.query(
      `UPDATE checkouts SET polled_at = coalesce($3, polled_at),
         due_at = CASE WHEN due_at = $4::timestamptz THEN $2 ELSE due_at END
       WHERE payment_id = $1`,
      [paymentId, next, answeredAt, lease],
    );
  }
}
