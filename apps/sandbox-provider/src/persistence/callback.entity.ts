import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A callback to the partner, with the same bytes and id on every attempt. */
@Entity('callbacks')
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
export class Callback {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  provider!: string;

  @Column('uuid')
  orderId!: string;

  @Column('text')
  body!: string;

  @Column('int', { default: 0 })
  attempts!: number;

  @Column('text', { nullable: true })
  lastFailure!: string | null;

  @Column('timestamptz', { nullable: true })
  deliveredAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;
}
