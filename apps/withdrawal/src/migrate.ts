import { runMigrations } from '@bascule/service-host';
import { withdrawalService } from './index.js';

await runMigrations(withdrawalService);
