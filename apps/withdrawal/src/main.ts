import { runService } from '@bascule/service-host';
import { withdrawalService } from './index.js';

await runService(withdrawalService);
