import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface Turn {
  paymentId: string;
  /** The claim's `due_at`, as text: a Date would lose its microseconds. */
  lease: string;
  next: Date | null;
  answeredAt: Date | null;
}

/** Schedules polls of orders; no change of a payment, so no event. */
@Injectable()
export class CheckoutScheduleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** False for a recorded callback, or one about no open order. */
  async callBack(provider: string, callbackId: string, paymentId: string): Promise<boolean> {
    const [made]: [unknown[], number] = await this.dataSource.query(
      `WITH callback AS (
         INSERT INTO provider_callbacks (provider, callback_id, payment_id) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING payment_id
       )
       UPDATE checkouts SET due_at = now() FROM callback
       WHERE checkouts.payment_id::text = callback.payment_id AND checkouts.provider = $1
         AND checkouts.due_at IS NOT NULL
       RETURNING 1`,
      [provider, callbackId, paymentId],
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
