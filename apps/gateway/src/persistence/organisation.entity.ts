import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Origins that browsers may call from with this organisation's keys; null for any. */
  @Column('text', { array: true, nullable: true })
  allowedOrigins!: string[] | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
