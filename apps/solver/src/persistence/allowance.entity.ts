import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Allowance of a chain's escrow on our inventory; due until it is sufficient. */
@Entity('allowances')
export class Allowance {
  /** `chain:token`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  chain!: string;

  @Column('text')
  token!: string;

  /** Transactions recorded for it so far. */
  @Column('int', { default: 0 })
  attempts!: number;

  @Column('timestamptz', { nullable: true, default: () => 'now()' })
  dueAt!: Date | null;
}
