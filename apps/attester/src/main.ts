import { runService } from '@bascule/http';
import { attesterService } from './index.js';

await runService(attesterService);
