import { runMigrations } from '@bascule/http';
import { quoteService } from './index.js';

await runMigrations(quoteService);
