import type { Pause } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Switches that are on; no row until an operator pauses something, then one. */
@Entity('switches')
export class SwitchesEntity {
  @PrimaryColumn('text')
  id!: string;

  /** Incremented by each change. */
  @Column('integer')
  version!: number;

  @Column('jsonb')
  paused!: readonly Pause[];
}
