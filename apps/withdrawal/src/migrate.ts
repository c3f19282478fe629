import { runMigrations } from '@bascule/http';
import { withdrawalService } from './index.js';

await runMigrations(withdrawalService);
