import { runMigrations } from '@bascule/service-host';
import { quoteService } from './index.js';

await runMigrations(quoteService);
