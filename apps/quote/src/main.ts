import { runService } from '@bascule/service-host';
import { quoteService } from './index.js';

await runService(quoteService);
