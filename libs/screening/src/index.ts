import { CreateScreening1797700000000 } from './persistence/create-screening.migration.js';
import { ScreeningAllowanceEntity } from './persistence/screening-allowance.entity.js';
import { ScreeningEntity } from './persistence/screening.entity.js';
import { SeparateAllowances1799300000002 } from './persistence/separate-allowances.migration.js';

/** Entities for the service's data source; audit and allowances are stored in its own schema. */
export const screeningEntities = [ScreeningEntity, ScreeningAllowanceEntity];
export const screeningMigrations = [CreateScreening1797700000000, SeparateAllowances1799300000002];

export { Screening, ScreeningUnavailableError } from './screening.js';
export { screeningConfig, screeningEnv } from './screening-config.js';
export type { ScreeningConfig } from './screening-config.js';
export { createScreeningSources, ScreeningModule } from './screening.module.js';
export { sanctionsOracles } from './sanctions-oracles.js';
