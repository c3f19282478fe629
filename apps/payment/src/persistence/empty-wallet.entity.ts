import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Wallets without money on any chain, so that settled payments are not read again. */
@Entity('empty_wallets')
export class EmptyWalletEntity {
  @PrimaryColumn({ type: 'uuid' })
  paymentId!: string;

  /** The payment's version when its wallet was read; a later one says nothing. */
  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'timestamptz' })
  readAt!: Date;
}
