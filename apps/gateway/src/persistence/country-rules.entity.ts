import type { CountryRules } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Rules on where the deployment serves customers; no row until an operator changes the defaults, then one. */
@Entity('country_rules')
export class CountryRulesEntity {
  @PrimaryColumn('text')
  id!: string;

  /** Incremented by each change. */
  @Column('integer')
  version!: number;

  @Column('jsonb')
  prohibited!: CountryRules['prohibited'];

  @Column('jsonb')
  methods!: CountryRules['methods'];
}
