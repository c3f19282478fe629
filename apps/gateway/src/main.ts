import { runService } from '@bascule/http';
import { gatewayService } from './index.js';

await runService(gatewayService);
