import { runService } from '@bascule/service-host';
import { solverService } from './index.js';

await runService(solverService);
