import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('outbox')
export class OutboxRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  topic!: string;

  @Column('text')
  key!: string;

  /** Serialised event, published unchanged. */
  @Column('text')
  envelope!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
