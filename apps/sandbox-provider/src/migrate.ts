import { runMigrations } from '@bascule/service-host';
import { sandboxProviderService } from './index.js';

await runMigrations(sandboxProviderService);
