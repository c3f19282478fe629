import { runMigrations } from '@bascule/service-host';
import { catalogueService } from './index.js';

await runMigrations(catalogueService);
