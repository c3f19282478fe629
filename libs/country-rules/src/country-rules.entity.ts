import type { CountryRules } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Newest country rules that the gateway published; at most one row. */
@Entity('country_rules')
export class CountryRulesEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('integer')
  version!: number;

  @Column('jsonb')
  prohibited!: CountryRules['prohibited'];

  @Column('jsonb')
  methods!: CountryRules['methods'];

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
