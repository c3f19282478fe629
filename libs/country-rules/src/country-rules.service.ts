import {
  COUNTRY_RULES_KEY,
  DEFAULT_COUNTRY_RULES,
  type CountryRulesState,
} from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { CountryRulesEntity } from './country-rules.entity.js';

const FRESH_MS = 1_000;

/** Rules on where customers are served, as the operator made them last. */
@Injectable()
export class CountryRulesService {
  private readonly cache: LRUCache<typeof COUNTRY_RULES_KEY, CountryRulesState>;

  constructor(dataSource: DataSource) {
    this.cache = new LRUCache<typeof COUNTRY_RULES_KEY, CountryRulesState>({
      max: 1,
      ttl: FRESH_MS,
      allowStaleOnFetchRejection: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: async (id): Promise<CountryRulesState> =>
        (await dataSource.manager.findOneBy(CountryRulesEntity, { id })) ?? DEFAULT_COUNTRY_RULES,
    });
  }

  /**
   * Current rules, at most a second old; the defaults until an operator changes them. Where the database does not
   * answer, the last ones that were read.
   */
  current(): Promise<CountryRulesState> {
    return this.cache.forceFetch(COUNTRY_RULES_KEY);
  }
}
