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

  /** The start of the state. What was due by then is, while it recovers, the backlog. */
  @Column('timestamptz', { default: () => 'now()' })
  since!: Date;
}
