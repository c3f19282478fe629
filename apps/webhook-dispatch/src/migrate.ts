import { runMigrations } from '@bascule/service-host';
import { webhookDispatchService } from './index.js';

await runMigrations(webhookDispatchService);
