import { runMigrations } from '@bascule/http';
import { webhookDispatchService } from './index.js';

await runMigrations(webhookDispatchService);
