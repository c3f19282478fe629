import { runService } from '@bascule/service-host';
import { attesterService } from './index.js';

await runService(attesterService);
