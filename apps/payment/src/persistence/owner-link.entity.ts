import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Addresses that verified with the same `customer_id` of an organisation, by its secret keys. */
@Entity('owner_links')
@Index('owner_links_address_idx', ['orgId', 'address', 'customerId'])
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
