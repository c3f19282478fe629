export { countryRulesConsumer } from './country-rules.consumer.js';
export { CountryRulesEntity } from './country-rules.entity.js';
export { CountryRulesService } from './country-rules.service.js';
