import { runService } from '@bascule/http';
import { quoteService } from './index.js';

await runService(quoteService);
