import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CircuitState } from '../rules/circuit.js';

/** Circuit of a webhook whose receiver is unreachable or recovering; a closed circuit has no row. */
@Entity('webhook_circuits')
export class CircuitEntity {
  @PrimaryColumn('uuid')
  webhookId!: string;

  @Column('text')
  state!: CircuitState;

  /** Consecutive openings, which determine the cool-down. */
  @Column('integer')
  openings!: number;

  /** Earliest next claim: during the cool-down, during a trial, and between portions of the backlog. */
  @Column('timestamptz')
  notBefore!: Date;

  /** Start of the state. While the receiver recovers, deliveries that were due by then are the backlog. */
  @Column('timestamptz', { default: () => 'now()' })
  since!: Date;
}
