import { runService } from '@bascule/http';
import { withdrawalService } from './index.js';

await runService(withdrawalService);
