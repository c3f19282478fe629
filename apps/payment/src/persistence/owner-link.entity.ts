import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Addresses that verified with the same `customer_id` of an organisation, by its secret keys. */
@Entity('owner_links')
export class OwnerLinkEntity {
  @PrimaryColumn({ type: 'text' })
  orgId!: string;

  @PrimaryColumn({ type: 'text' })
  customerId!: string;

  /** Lower case. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @Column({ type: 'timestamptz' })
  linkedAt!: Date;
}
