import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A small sum that went on although a source did not answer. */
@Entity('screening_allowances')
@Index(['orgId', 'owner', 'allowedAt'])
export class ScreeningAllowanceEntity {
  /** Payment or withdrawal. */
  @PrimaryColumn('text')
  reference!: string;

  /** Organisation of the payment; test keys have one of their own. */
  @Column('text', { default: '' })
  orgId!: string;

  /** Lower case. */
  @Column('text')
  owner!: string;

  @Column('numeric')
  usd!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  allowedAt!: Date;
}
