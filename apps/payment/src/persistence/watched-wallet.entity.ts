import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The addresses that scanners look for; a one-time wallet has the same one on every chain. */
@Entity('watched_wallets')
export class WatchedWalletEntity {
  /** Lower case. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @Column({ type: 'uuid' })
  paymentId!: string;
}
