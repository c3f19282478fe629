import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Addresses that scanners watch; a one-time wallet has the same address on every chain. */
@Entity('watched_wallets')
export class WatchedWalletEntity {
  /** Lower case. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @Column({ type: 'uuid' })
  paymentId!: string;
}
