import { type CountryRulesEvent, COUNTRY_RULES_KEY, isHandledBy, TOPICS } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

/** Builds the controller that keeps a service's copy of the country rules. */
export function countryRulesConsumer(service: 'payment' | 'quote'): Type {
  @Controller()
  class CountryRulesConsumer {
    constructor(private readonly dataSource: DataSource) {}

    @ProjectionPattern(TOPICS.countryRules, { tables: ['country_rules'] })
    async on(@Payload() event: CountryRulesEvent): Promise<void> {
      if (!isHandledBy(service, event)) return;
      const { version, prohibited, methods } = event.data;
      await upsertProjection(this.dataSource.manager, {
        table: 'country_rules',
        key: { id: COUNTRY_RULES_KEY },
        version,
        columns: { prohibited, methods },
      });
    }
  }
  return CountryRulesConsumer;
}
