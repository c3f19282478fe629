import { runMigrations } from '@bascule/http';
import { catalogueService } from './index.js';

await runMigrations(catalogueService);
