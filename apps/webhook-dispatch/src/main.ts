import { runService } from '@bascule/http';
import { webhookDispatchService } from './index.js';

await runService(webhookDispatchService);
