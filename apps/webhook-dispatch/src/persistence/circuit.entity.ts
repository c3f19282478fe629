import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CircuitState } from '../rules/circuit.js';

/** Of a webhook whose receiver is, or was until lately, not to be reached; the others have none. */
@Entity('webhook_circuits')
export class CircuitEntity {
  @PrimaryColumn('uuid')
  webhookId!: string;

  @Column('text')
  state!: CircuitState;

  /** How often in a row it has opened, which is how long it stays open. */
  @Column('integer')
  openings!: number;

  /** Nothing is sent to the webhook before: while it is open, while it is tried, and between a backlog's portions. */
  @Column('timestamptz')
  notBefore!: Date;

  /** The start of the state. What was due by then is, while it recovers, the backlog. */
  @Column('timestamptz', { default: () => 'now()' })
  since!: Date;
}
