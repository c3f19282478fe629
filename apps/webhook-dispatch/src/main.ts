import { runService } from '@bascule/service-host';
import { webhookDispatchService } from './index.js';

await runService(webhookDispatchService);
