import type { Pause } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Newest switches that the gateway published; at most one row. */
@Entity('switches')
export class SwitchesEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('integer')
  version!: number;

  @Column('jsonb')
  paused!: readonly Pause[];

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
