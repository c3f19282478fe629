import { runService } from '@bascule/service-host';
import { gatewayService } from './index.js';

await runService(gatewayService);
