import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface Turn {
  paymentId: string;
  /** The `due_at` that the worker's claim has set, as text: a Date would lose its microseconds. */
  lease: string;
  next: Date | null;
  answeredAt: Date | null;
}

/** When providers are asked for orders: no change of a payment, so no event. */
@Injectable()
export class CheckoutScheduleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** False when the callback is recorded already or is about no order that is waited for. */
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

  /** After a question; what a callback has made due meanwhile stays due. */
  async asked({ paymentId, lease, next, answeredAt }: Turn): Promise<void> {
    await this.dataSource.query(
      `UPDATE checkouts SET polled_at = coalesce($3, polled_at),
         due_at = CASE WHEN due_at = $4::timestamptz THEN $2 ELSE due_at END
       WHERE payment_id = $1`,
      [paymentId, next, answeredAt, lease],
    );
  }
}
