import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Verified notifications of providers; a redelivered one is already here. */
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
