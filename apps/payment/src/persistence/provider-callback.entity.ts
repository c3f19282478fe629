import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Verified callbacks of providers: the inbox that makes redelivery idempotent. */
@Entity('provider_callbacks')
export class ProviderCallbackEntity {
  @PrimaryColumn({ type: 'text' })
  provider!: string;

  @PrimaryColumn({ type: 'text' })
  callbackId!: string;

  @Column({ type: 'text' })
  paymentId!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  receivedAt!: Date;
}
