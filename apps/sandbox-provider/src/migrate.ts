import { runMigrations } from '@bascule/http';
import { sandboxProviderService } from './index.js';

await runMigrations(sandboxProviderService);
