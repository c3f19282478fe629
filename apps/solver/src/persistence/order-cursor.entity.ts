import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Up to where the orders of an origin chain were read; null until the first time. */
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
}
