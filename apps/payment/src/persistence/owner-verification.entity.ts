import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Owners that have given a valid `EVM_OWNER` signature, whatever became of the payment. */
@Entity('owner_verifications')
export class OwnerVerificationEntity {
  /** Lower case. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  /** Chain whose contract accepted the signature; `*` for the address's own key, which signs on every chain. */
  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @Column({ type: 'timestamptz' })
  verifiedAt!: Date;
}
