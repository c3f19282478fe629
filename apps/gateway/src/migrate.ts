import { runMigrations } from '@bascule/service-host';
import { gatewayService } from './index.js';

await runMigrations(gatewayService);
