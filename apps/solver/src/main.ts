import { runService } from '@bascule/http';
import { solverService } from './index.js';

await runService(solverService);
