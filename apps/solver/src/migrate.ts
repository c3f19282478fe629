import { runMigrations } from '@bascule/service-host';
import { solverService } from './index.js';

await runMigrations(solverService);
