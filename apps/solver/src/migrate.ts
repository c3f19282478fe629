import { runMigrations } from '@bascule/http';
import { solverService } from './index.js';

await runMigrations(solverService);
