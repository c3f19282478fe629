import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Last block whose orders were read; null before the first scan. */
@Entity('order_cursors')
export class OrderCursor {
  @PrimaryColumn('text')
  chain!: string;

  @Column({ ...bigintColumn, nullable: true })
  blockNumber!: bigint | null;

  @Column('text', { nullable: true })
  blockHash!: string | null;

  @Column('timestamptz', { nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Time at which the head was read that the scan has reached. */
  @Column('timestamptz', { default: () => 'now()' })
  caughtUpAt!: Date;
}
